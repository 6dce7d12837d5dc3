//! Places where a replacement of another kind cannot stand: «sobre todo» before an adjective, «que dura mucho» before its noun or
//! behind a copula, «com que» behind the main clause, a pronoun behind an article.

use std::ops::Range;

use glosa_text::{Language, Upos, feature};

use super::Grammar;

/// Whether a replacement may stand where some tokens stand.
pub(crate) fn allows(grammar: Grammar<'_>, tokens: &Range<u32>, text: &str) -> bool {
    let Some(first) = grammar.token(tokens.start) else { return true };
    if text.is_empty() || !grammar.knows_words() {
        return true;
    }
    let place = Place { grammar, tokens: tokens.clone(), words: text.split(' ').collect() };
    let single = tokens.end == tokens.start + 1;
    place.clause()
        && !(place.linked() && grammar.is("adjunct", text))
        && match first.pos {
            Upos::Adv if single => place.of_adverb(),
            Upos::Adj if single => place.of_adjective(),
            Upos::Noun if single => place.of_noun(),
            _ => true,
        }
}

struct Place<'p> {
    grammar: Grammar<'p>,
    tokens: Range<u32>,
    words: Vec<&'p str>,
}

impl Place<'_> {
    /// Whether a copula stands before the place.
    fn linked(&self) -> bool {
        self.grammar.before(self.tokens.start).is_some_and(|before| self.grammar.links(before))
    }

    fn next_pos(&self) -> Option<Upos> {
        self.grammar.after(self.tokens.end).map(|after| after.pos)
    }

    fn previous_pos(&self) -> Option<Upos> {
        self.grammar.before(self.tokens.start).map(|before| before.pos)
    }

    /// Conjunctions that open a sentence stand first, those that follow do not.
    fn clause(&self) -> bool {
        let listed =
            |role: &str| (1..=self.words.len().min(4)).any(|n| self.grammar.is(role, &self.words[..n].join(" ")));
        let mut at = self.tokens.start;
        let mut first = true;
        while let Some(before) = self.grammar.before(at) {
            if before.flags.word() {
                first = false;
                break;
            }
            at -= 1;
        }
        let whole = self.grammar.token(self.tokens.start);
        let conjunction = self.tokens.len() > 1
            || whole.is_some_and(|token| !matches!(token.pos, Upos::Verb | Upos::Noun | Upos::Adj));
        !conjunction || !(listed("opening") && !first || listed("following") && first)
    }

    /// An adverb before what it modifies can be replaced by another such one.
    fn of_adverb(&self) -> bool {
        let text = self.words.join(" ");
        if self.words.len() == 1 {
            let readings = self.grammar.readings(&text);
            if !readings.is_empty() && !readings.iter().any(|r| r.pos == Upos::Adv) {
                return false;
            }
        }
        let Some(next) = self.grammar.after(self.tokens.end) else { return true };
        let participle = feature(self.grammar.feats(next), "VerbForm") == Some("Part");
        let english_verb = self.grammar.language() == Language::En && next.pos == Upos::Verb;
        let modifies = matches!(next.pos, Upos::Adj | Upos::Adv) || participle || english_verb;
        !modifies || self.grammar.is("modifier", &text)
    }

    /// An adjective becomes a phrase only behind its noun, a clause only there.
    fn of_adjective(&self) -> bool {
        let Some(first) = self.words.first() else { return true };
        let clause = self.grammar.is("relative", first);
        let opens = self.grammar.readings(first);
        let determined = opens.iter().any(|r| r.pos == Upos::Det)
            && self.words.iter().skip(1).any(|word| self.grammar.may_be(word, Upos::Noun));
        let phrase = clause || self.words.len() > 1 && (determined || opens.iter().any(|r| r.pos == Upos::Adp));
        let english = self.grammar.language() == Language::En
            && self.words.len() > 1
            && self.words.iter().any(|word| self.grammar.readings(word).iter().any(|r| r.pos == Upos::Adp));
        if !phrase && !english {
            return true;
        }
        let before_noun = matches!(self.next_pos(), Some(Upos::Noun | Upos::Propn | Upos::Adj));
        let after_determiner = matches!(self.previous_pos(), Some(Upos::Det | Upos::Adp | Upos::Num));
        let behind_noun = matches!(self.previous_pos(), Some(Upos::Noun | Upos::Adj));
        !before_noun && !after_determiner && (!clause || behind_noun)
    }

    /// What is no noun has no determiner.
    fn of_noun(&self) -> bool {
        let grammar = self.grammar;
        let mut at = self.tokens.start;
        while grammar.before(at).is_some_and(|before| before.pos == Upos::Adj) {
            at -= 1;
        }
        let determined = grammar
            .before(at)
            .is_some_and(|before| matches!(before.pos, Upos::Det | Upos::Num) || !before.parts.is_empty());
        let described = self.next_pos() == Some(Upos::Adj);
        if !determined && !described {
            return true;
        }
        let first = self.words.first().copied().unwrap_or_default();
        let readings = grammar.readings(first);
        let own = readings.iter().any(|r| matches!(r.pos, Upos::Det | Upos::Pron | Upos::Adp))
            || grammar.is("intensifier", first)
            || grammar.is("relative", first);
        let noun = self.words.iter().any(|word| {
            let readings = grammar.readings(word);
            readings.is_empty() || readings.iter().any(|r| matches!(r.pos, Upos::Noun | Upos::Propn))
        });
        noun && !own
    }
}
