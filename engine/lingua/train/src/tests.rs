//! The trainer on treebanks of a few sentences: it learns what is in them, twice the same, and says where a file is wrong.
//!
//! The words are invented, so that nothing but the treebank can teach them: *lano* is a noun after *el* and a verb after
//! *yo*; the verbs in *-arba* have lemmas in *-ar*.

use crate::conventions::Relations;
use crate::{lemmas, sentences, tagger, treebank};
use glosa_lingua::tagger::TagModel;
use glosa_lingua::{Clusters, Frequencies, LanguageModels, LemmaSources, Lexicon, Runtime, conllu};
use glosa_text::{Language, Upos};

const NOUNS: [&str; 6] = ["lano", "pluno", "treco", "vorno", "brilo", "crando"];
const VERBS: [(&str, &str); 6] = [
    ("zolarba", "zolar"),
    ("pinarba", "pinar"),
    ("trusarba", "trusar"),
    ("bemarba", "bemar"),
    ("cotarba", "cotar"),
    ("durarba", "durar"),
];

fn word(number: usize, form: &str, lemma: &str, upos: &str, feats: &str, misc: &str) -> String {
    format!("{number}\t{form}\t{lemma}\t{upos}\t_\t{feats}\t_\t_\t_\t{misc}\n")
}

/// *El lano zolarba.*, *Yo lano el pluno.* and the like, for all pairs of nouns and verbs.
fn corpus() -> String {
    let mut out = String::from("# newdoc\n");
    let noun = "Gender=Masc|Number=Sing";
    let present = "Mood=Ind|Number=Sing|Person=1|Tense=Pres|VerbForm=Fin";
    let past = "Mood=Ind|Number=Sing|Person=3|Tense=Imp|VerbForm=Fin";
    let article = "Definite=Def|Gender=Masc|Number=Sing|PronType=Art";
    for subject in NOUNS {
        for (verb, lemma) in VERBS {
            out += &word(1, "El", "el", "DET", article, "_");
            out += &word(2, subject, subject, "NOUN", noun, "_");
            out += &word(3, verb, lemma, "VERB", past, "SpaceAfter=No");
            out += &word(4, ".", ".", "PUNCT", "_", "_");
            out.push('\n');
            out += &word(1, "Yo", "yo", "PRON", "Case=Nom|Number=Sing|Person=1|PronType=Prs", "_");
            out += &word(2, "lano", "lanar", "VERB", present, "_");
            out += &word(3, "el", "el", "DET", article, "_");
            out += &word(4, subject, subject, "NOUN", noun, "SpaceAfter=No");
            out += &word(5, ".", ".", "PUNCT", "_", "_");
            out.push('\n');
        }
    }
    out
}

/// Models learnt from a treebank, beside the shipped lexicon, which has none of its words, and without clusters.
fn learn(conllu: &str) -> LanguageModels {
    let language = Language::Es;
    let documents = treebank::read(conllu).expect("a sound treebank");
    let shipped = LanguageModels::shipped(language);
    let lexicon = Lexicon::new(shipped.lexicon.clone(), &shipped.lexicon_table).expect("a sound lexicon");
    let frequencies = Frequencies::new(shipped.frequency.clone()).expect("sound frequencies");
    let settings = tagger::Settings {
        bits: 14,
        epochs: 3,
        set_bits: 15,
        least: 2,
        drop: 0.1,
        rate: 0.1,
        doubt: 1.0,
        folds: 2,
        seeds: vec![0],
    };
    let examples: Vec<tagger::Example<'_>> = tagger::examples(&documents, 0).collect();
    let (tables, tags) = tagger::tables(language, &examples, &lexicon);
    let mut model = TagModel::new(tables, &lexicon, Clusters::default());
    let (weights, features) = tagger::train_passes(&mut model, &lexicon, &examples, &tags, &settings, false);
    let sources = LemmaSources { language, model: &model, lexicon: &lexicon, frequencies: &frequencies };
    let lemmas = lemmas::learn(sources, &examples, &tags);
    let weighted: Vec<_> = documents.iter().map(|document| (document, 1)).collect();
    LanguageModels {
        tags: model.tables.to_bytes().into(),
        weights: tagger::compand(&weights).into(),
        features: features.into(),
        lemmas: lemmas.to_bytes().into(),
        sentences: sentences::train(language, &weighted).into(),
        clusters: Vec::new().into(),
        ..shipped
    }
}

/// Form, part of speech and lemma of each word, by sentence.
fn analyse(models: &LanguageModels, text: &str) -> Vec<Vec<(String, Upos, String)>> {
    let runtime = Runtime::with_models(|l| if l == Language::Es { models.clone() } else { LanguageModels::default() });
    let analysis = runtime.expect("sound models").analyse_blocks(Language::Es, text, &conllu::paragraphs(text));
    let string = |number: u32| analysis.string(number).to_owned();
    let words = |tokens: std::ops::Range<usize>| {
        let words = analysis.tokens[tokens].iter().flat_map(|token| analysis.words_of(token));
        words.map(|word| (string(word.form), word.pos, string(word.lemma))).collect()
    };
    analysis.sentences.iter().map(|sentence| words(sentence.tokens.clone())).collect()
}

#[test]
fn tags_lemmas_and_sentences_are_learnt_from_the_treebank_alone() {
    let models = learn(&corpus());
    let found = analyse(&models, "El brilo pinarba. Yo lano el treco. El lano durarba.");
    let expected = [
        vec![("El", Upos::Det, "el"), ("brilo", Upos::Noun, "brilo"), ("pinarba", Upos::Verb, "pinar")],
        vec![
            ("Yo", Upos::Pron, "yo"),
            ("lano", Upos::Verb, "lanar"),
            ("el", Upos::Det, "el"),
            ("treco", Upos::Noun, "treco"),
        ],
        vec![("El", Upos::Det, "el"), ("lano", Upos::Noun, "lano"), ("durarba", Upos::Verb, "durar")],
    ];
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, mut expected) in found.iter().zip(expected) {
        expected.push((".", Upos::Punct, "."));
        let found: Vec<_> = found.iter().map(|(form, upos, lemma)| (&**form, *upos, &**lemma)).collect();
        assert_eq!(found, expected);
    }
    let unseen = analyse(&models, "El lano mirarba.");
    let (_, upos, lemma) = &unseen[0][2];
    assert_eq!((*upos, &**lemma), (Upos::Verb, "mirar"), "a verb that only ends like those of the treebank");
}

#[test]
fn the_same_treebank_gives_the_same_bytes() {
    let (one, other) = (learn(&corpus()), learn(&corpus()));
    assert!(one.tags == other.tags, "tables of the tagger");
    assert!(one.weights == other.weights && one.features == other.features, "weights of the tagger");
    assert!(one.lemmas == other.lemmas, "tables of the lemmatiser");
    assert!(one.sentences == other.sentences, "weights of the sentence splitter");
}

#[test]
fn a_wrong_line_is_named_with_its_cure() {
    let sound = word(1, "El", "el", "DET", "_", "_");
    let problem = |line: &str| treebank::read(&format!("# text = El\n{sound}{line}\n")).expect_err("wrong").to_string();
    for (line, told) in [
        ("2\tlano\tlano\tNOUN", "line 3: 4 columns where CoNLL-U has 10; part them with one tab each"),
        ("2 lano lano NOUN _ _ _ _ _ _", "line 3: 1 columns where CoNLL-U has 10"),
        ("dos\tlano\tlano\tNOUN\t_\t_\t_\t_\t_\t_", "line 3: `dos` is no number of a word; write 1, 2, 3"),
        ("3-2\tdel\t_\t_\t_\t_\t_\t_\t_\t_", "line 3: `3-2` is no number of a word"),
        ("2\tlano\tlano\tNOM\t_\t_\t_\t_\t_\t_", "line 3: `NOM` is no part of speech; write one of ADJ"),
        ("2\t\tlano\tNOUN\t_\t_\t_\t_\t_\t_", "line 3: the form is empty"),
    ] {
        let problem = problem(line);
        assert!(problem.starts_with(told), "{problem}");
    }
    let empty = treebank::read("# a file of remarks\n").expect_err("nothing to learn").to_string();
    assert!(empty.contains("there is no sentence in it"), "{empty}");
}

#[test]
fn the_tuning_halves_of_the_gold_sets_are_sound() {
    for (language, conllu) in [
        (Language::Es, include_str!("../../gold/es/tune.conllu")),
        (Language::Ca, include_str!("../../gold/ca/tune.conllu")),
        (Language::En, include_str!("../../gold/en/tune.conllu")),
    ] {
        let read = treebank::read(conllu);
        assert!(read.is_ok(), "{language}: {read:?}");
    }
}

#[test]
fn relations_of_the_hand_made_trees_become_those_of_the_treebank() {
    let table = include_str!("../../gold/relations.tsv");
    let es = Relations::read(table, Language::Es).expect("the shipped table is sound");
    let mut documents = treebank::read("1\tVe\tver\tVERB\t_\t_\t0\troot\t_\t_\n2\ta\ta\tADP\t_\t_\t1\tobl:arg\t_\t_\n")
        .expect("a treebank");
    es.apply(&mut documents);
    let found: Vec<&str> = documents[0].sentences[0].words.iter().map(|word| word.relation.as_str()).collect();
    assert_eq!(found, ["root", "obj"]);
    let en = Relations::read(table, Language::En).expect("the shipped table is sound");
    assert_eq!(en.of_treebank("nsubj:pass"), "nsubj:pass");
    let problem =
        Relations::read("# a remark\nes\tobl:arg\n", Language::Es).expect_err("a field is missing").to_string();
    assert!(problem.starts_with("line 2: "), "{problem}");
}
