//! How often each grammatical class stands in a document, for formulas: parts of speech, verb forms, persons, frequencies.

use glosa_text::{Document, Upos, feature, has_feature};
use rustc_hash::FxHashMap;

/// Counts of words by class. They are numbers with decimals, as those of [`Counts`](super::Counts).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grammar {
    by_pos: [f64; Upos::ALL.len()],
    /// Gerunds, those behind an auxiliary («está escribiendo») left out.
    pub gerunds: f64,
    /// Finite verb forms without a person of their own or beside them, then those of the first, second and third.
    verbs_of_person: [f64; 4],
    /// Words with a known frequency among nouns, verbs, adjectives and adverbs.
    pub content_words_with_frequency: f64,
    /// The sum of their frequencies on the Zipf scale.
    pub content_frequency: f64,
    /// Lower-case words that are no names, by their frequency in tenths of the Zipf scale, in ascending order.
    frequencies: Vec<u8>,
    /// Numbers of the tokens that are adverbs.
    adverbs: Vec<u32>,
}

/// What the features of a word say, read once for all words that have the same.
#[derive(Clone, Copy, Debug, Default)]
struct Form {
    finite: bool,
    imperative: bool,
    gerund: bool,
    /// A personal pronoun that can be a subject.
    subject: bool,
    person: u8,
}

impl Form {
    fn of(feats: &str) -> Form {
        let nominative = feature(feats, "Case").is_none_or(|case| case.split(',').any(|case| case == "Nom"));
        Form {
            finite: has_feature(feats, "VerbForm", "Fin"),
            imperative: has_feature(feats, "Mood", "Imp"),
            gerund: has_feature(feats, "VerbForm", "Ger"),
            subject: nominative && has_feature(feats, "PronType", "Prs") && !has_feature(feats, "Poss", "Yes"),
            person: feature(feats, "Person").and_then(|person| person.parse().ok()).filter(|n| *n <= 3).unwrap_or(0),
        }
    }
}

impl Grammar {
    pub(super) fn of(document: &Document) -> Grammar {
        let mut grammar = Grammar::default();
        let mut read = FxHashMap::default();
        let tokens = document.tokens();
        let forms: Vec<Form> = tokens
            .iter()
            .map(|token| *read.entry(token.feats).or_insert_with(|| Form::of(document.string(token.feats))))
            .collect();
        let same_sentence =
            |a: usize, b: usize| tokens.get(b).is_some_and(|other| other.sentence == tokens[a].sentence);
        // The person of a pronoun that can be the subject of the verb beside it; an adverb may stand between.
        let beside = |at: usize| {
            let mut before = at.checked_sub(1);
            if before.is_some_and(|b| tokens[b].pos == Upos::Adv) {
                before = before.and_then(|b| b.checked_sub(1));
            }
            [before, Some(at + 1)]
                .into_iter()
                .flatten()
                .find(|other| same_sentence(at, *other) && tokens[*other].pos == Upos::Pron && forms[*other].subject)
                .map(|other| forms[other].person)
                .filter(|person| *person > 0)
        };
        for (at, token) in tokens.iter().enumerate() {
            let form = forms[at];
            grammar.by_pos[token.pos as usize] += 1.0;
            let behind_auxiliary = at > 0 && tokens[at - 1].pos == Upos::Aux;
            grammar.gerunds += f64::from(form.gerund && !behind_auxiliary);
            if form.finite && matches!(token.pos, Upos::Verb | Upos::Aux) {
                let person = if form.imperative { 2 } else { beside(at).unwrap_or(form.person) };
                grammar.verbs_of_person[usize::from(person)] += 1.0;
            }
            if matches!(token.pos, Upos::Noun | Upos::Verb | Upos::Adj | Upos::Adv) && token.zipf > 0 {
                grammar.content_words_with_frequency += 1.0;
                grammar.content_frequency += f64::from(token.zipf) / 10.0;
            }
            if token.flags.word() && !token.flags.capitalised() && token.pos != Upos::Propn && token.zipf > 0 {
                grammar.frequencies.push(token.zipf);
            }
            if token.pos == Upos::Adv {
                grammar.adverbs.push(at as u32);
            }
        }
        grammar.frequencies.sort_unstable();
        grammar
    }

    /// Tokens of a part of speech.
    pub fn of_pos(&self, pos: Upos) -> f64 {
        self.by_pos[pos as usize]
    }

    /// Finite verb forms; of a verb group the one that is conjugated.
    pub fn finite_verbs(&self) -> f64 {
        self.verbs_of_person.iter().sum()
    }

    /// Finite verb forms of a person, 1 to 3: that of a subject pronoun beside them (*usted* is a second person), or else
    /// their own. Imperatives are second persons.
    pub fn verbs_of_person(&self, person: f64) -> f64 {
        let person = person.clamp(0.0, 3.0) as usize;
        self.verbs_of_person[person]
    }

    /// Lower-case words, no names, that are rarer than this on the Zipf scale. Words without a known frequency do not count.
    pub fn rarer(&self, zipf: f64) -> f64 {
        self.frequencies.partition_point(|tenths| f64::from(*tenths) / 10.0 < zipf) as f64
    }

    /// Adverbs that end in these letters.
    pub fn adverbs_ending(&self, document: &Document, ending: &str) -> f64 {
        let ends = |token: &&u32| document.string(document.tokens()[**token as usize].norm).ends_with(ending);
        self.adverbs.iter().filter(ends).count() as f64
    }
}
