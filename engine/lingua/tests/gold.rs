//! Scores on the hand-made sets (test halves), each sentence a text of its own: they may rise, not fall.

use glosa_lingua::{Runtime, conllu};
use glosa_text::Language;
use std::collections::BTreeSet;
use std::sync::LazyLock;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("the shipped models are sound"));

fn gold(language: Language, name: &str) -> String {
    let path = format!("{}/gold/{}/{name}", env!("CARGO_MANIFEST_DIR"), language.code());
    #[expect(clippy::disallowed_methods, reason = "a test reads its gold data")]
    std::fs::read_to_string(&path).unwrap_or_else(|cause| panic!("{path}: {cause}"))
}

fn syllables(language: Language) -> (usize, usize) {
    let list = gold(language, "syllables.tsv");
    let rows: Vec<(&str, u16)> = list
        .lines()
        .filter_map(|line| {
            let mut fields = line.split('\t');
            Some((fields.next()?, fields.nth(1)?.parse().ok()?))
        })
        .collect();
    (rows.iter().filter(|(word, count)| RUNTIME.syllables(language, word) == *count).count(), rows.len())
}

fn boundaries(language: Language) -> (usize, usize) {
    let items = gold(language, "sentences.txt");
    let (mut right, mut all) = (0, 0);
    for line in items.lines().filter(|l| l.starts_with("test\t")) {
        let marked = line.splitn(3, '\t').nth(2).expect("an item has three fields");
        let mut text = String::new();
        let mut wanted = BTreeSet::new();
        for (number, piece) in marked.split(" ‖").enumerate() {
            if number > 0 {
                text.push(if piece.starts_with('⏎') { '\n' } else { ' ' });
                wanted.insert(text.len());
            }
            text.push_str(if number > 0 {
                piece.trim_start_matches('⏎').strip_prefix(' ').unwrap_or(piece)
            } else {
                piece
            });
        }
        let analysis = RUNTIME.analyse_blocks(language, &text, &conllu::paragraphs(&text));
        let found: BTreeSet<usize> = analysis.sentences.iter().map(|s| s.bytes.start).filter(|s| *s > 0).collect();
        all += 1;
        right += usize::from(found == wanted);
    }
    (right, all)
}

struct Tagging {
    words: usize,
    upos: usize,
    feats: usize,
    lemma: usize,
}

fn tagging(language: Language) -> Tagging {
    let treebank = gold(language, "test.conllu");
    let mut score = Tagging { words: 0, upos: 0, feats: 0, lemma: 0 };
    for block in treebank.split("\n\n") {
        let Some(text) = block.lines().find_map(|l| l.strip_prefix("# text = ")) else { continue };
        let analysis = RUNTIME.analyse_blocks(language, text, &conllu::paragraphs(text));
        let mut at = 0;
        let mut inside = 0;
        for line in block.lines().filter(|l| !l.starts_with('#')) {
            let fields: Vec<&str> = line.split('\t').collect();
            let range = fields[0].split_once('-');
            let number: usize = range.map_or(fields[0], |r| r.0).parse().expect("a number");
            if range.is_none() && number <= inside {
                continue;
            }
            inside = range.map_or(inside, |r| r.1.parse().expect("a number"));
            let start = at + text[at..].find(fields[1]).expect("the form is in the text");
            at = start + fields[1].len();
            if range.is_some() {
                continue;
            }
            score.words += 1;
            let Some(token) = analysis.tokens.iter().find(|t| t.bytes == (start..at) && t.words.len() == 1) else {
                continue;
            };
            let word = &analysis.words_of(token)[0];
            let feats = analysis.string(word.feats);
            score.upos += usize::from(word.pos.as_str() == fields[3]);
            score.feats += usize::from((if feats.is_empty() { "_" } else { feats }) == fields[5]);
            score.lemma += usize::from(analysis.string(word.lemma) == fields[2]);
        }
    }
    score
}

/// Counts over the words of the trees. Relations are compared by their universal part; that of the treebank
/// (`gold/relations.tsv`) counts as right as well.
#[derive(Default)]
struct Trees {
    words: usize,
    heads: usize,
    relations: usize,
    /// Subjects of the gold trees, found, and the same words.
    subjects: [usize; 3],
}

fn universal(relation: &str) -> &str {
    relation.split(':').next().unwrap_or(relation)
}

fn is_subject(relation: &str) -> bool {
    matches!(universal(relation), "nsubj" | "csubj")
}

fn trees(language: Language) -> Trees {
    let path = format!("{}/gold/relations.tsv", env!("CARGO_MANIFEST_DIR"));
    #[expect(clippy::disallowed_methods, reason = "a test reads its gold data")]
    let table = std::fs::read_to_string(&path).unwrap_or_else(|cause| panic!("{path}: {cause}"));
    let own = table.lines().filter_map(|line| line.strip_prefix(language.code())?.strip_prefix('\t')?.split_once('\t'));
    let own: Vec<(&str, &str)> = own.collect();
    let mut score = Trees::default();
    for block in gold(language, "test.conllu").split("\n\n") {
        let Some(text) = block.lines().find_map(|l| l.strip_prefix("# text = ")) else { continue };
        let mut analysis = RUNTIME.analyse_blocks(language, text, &conllu::paragraphs(text));
        RUNTIME.parse(language, &mut analysis);
        let rows: Vec<Vec<&str>> =
            block.lines().filter(|l| !l.starts_with('#')).map(|l| l.split('\t').collect()).collect();
        // The place among the words found of each word of the gold text, 0 being the root.
        let mut places = vec![Some(usize::MAX)];
        let (mut at, mut inside) = (0, 0);
        for row in &rows {
            let (first, last) = row[0].split_once('-').unwrap_or((row[0], row[0]));
            let (first, last): (usize, usize) = (first.parse().expect("a number"), last.parse().expect("a number"));
            if first <= inside {
                continue;
            }
            inside = last;
            let start = at + text[at..].find(row[1]).expect("the form is in the text");
            at = start + row[1].len();
            let same = analysis.tokens.iter().find(|t| t.bytes == (start..at) && t.words.len() == last + 1 - first);
            places.extend((0..=last - first).map(|i| same.map(|token| token.words.start + i)));
        }
        let mut found = Vec::new();
        for sentence in &analysis.sentences {
            let words = analysis.places_of_sentence(sentence);
            let head = |head: u32| if head == 0 { usize::MAX } else { words.start + head as usize - 1 };
            found.extend(analysis.tree[words.clone()].iter().map(|a| (head(a.head), analysis.string(a.relation))));
        }
        score.subjects[1] += found.iter().filter(|(_, relation)| is_subject(relation)).count();
        for row in rows.iter().filter(|row| !row[0].contains('-')) {
            let (number, head): (usize, usize) = (row[0].parse().expect("a number"), row[6].parse().expect("a number"));
            score.words += 1;
            score.subjects[0] += usize::from(is_subject(row[7]));
            let Some(place) = places[number] else { continue };
            let (found_head, relation) = found[place];
            let theirs = own.iter().find(|(gold, _)| *gold == row[7]).map_or(row[7], |(_, theirs)| theirs);
            let right = [row[7], theirs].map(universal).contains(&universal(relation));
            score.heads += usize::from(places[head] == Some(found_head));
            score.relations += usize::from(places[head] == Some(found_head) && right);
            score.subjects[2] += usize::from(is_subject(row[7]) && is_subject(relation));
        }
    }
    score
}

#[test]
fn scores_do_not_fall() {
    let mut table = String::new();
    for language in Language::ALL {
        let (right, all) = syllables(language);
        table.push_str(&format!("{language} syllables {right}/{all}\n"));
        let (right, all) = boundaries(language);
        table.push_str(&format!("{language} sentence items {right}/{all}\n"));
        let t = tagging(language);
        table.push_str(&format!("{language} words {}: upos {} feats {} lemma {}\n", t.words, t.upos, t.feats, t.lemma));
        let t = trees(language);
        let [gold, found, same] = t.subjects;
        table.push_str(&format!(
            "{language} trees of {} words: heads {}, with relation {}; subjects {gold}, found {found}, the same {same}\n",
            t.words, t.heads, t.relations
        ));
    }
    insta::assert_snapshot!(table);
}
