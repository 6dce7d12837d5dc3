//! What an edit must not do, whatever rule it comes from: double a word, lose the pronoun of a verb, or put a noun behind a
//! determiner that does not agree with it. Nothing is offered then; where only the surroundings are in doubt, the edit goes.

use glosa_metric::{Edit, Finding, FormReading, Inflect, Place};
use glosa_text::{Document, Span, Token, Upos, feature, normal_form};

/// Takes away advice that breaks its sentence.
pub(crate) fn keep(finding: &mut Finding, document: &Document, inflect: &dyn Inflect) {
    let Place::At(span) = finding.place else { return };
    let guard = Guard { document, inflect };
    let whole = |text: &String| guard.whole(span, text);
    finding.alternatives.retain(whole);
    if finding.replacement.as_ref().is_some_and(|text| !whole(text)) {
        finding.replacement = None;
        finding.facts.remove("replacement");
        finding.edits.clear();
    }
    if !finding.edits.iter().all(|edit| guard.carried_out(edit, &finding.edits)) {
        finding.edits.clear();
    }
}

struct Guard<'g> {
    document: &'g Document,
    inflect: &'g dyn Inflect,
}

impl Guard<'_> {
    /// The tokens before, in and behind a place.
    fn tokens(&self, span: Span) -> (Option<&Token>, &[Token], Option<&Token>) {
        let tokens = self.document.tokens();
        let start = tokens.partition_point(|token| token.span.end <= span.start);
        let end = tokens.partition_point(|token| token.span.start < span.end).max(start);
        (start.checked_sub(1).map(|before| &tokens[before]), &tokens[start..end], tokens.get(end))
    }

    fn norm(&self, token: &Token) -> &str {
        self.document.string(token.norm)
    }

    /// Whether a text can stand in a place: no word of it is doubled by its neighbours, and the pronouns go along.
    fn whole(&self, span: Span, text: &str) -> bool {
        let (before, covered, after) = self.tokens(span);
        let (Some(first), Some(last)) = (covered.first(), covered.last()) else { return true };
        let word = |text: &str| {
            normal_form(text.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’' | '·')))
        };
        let text_words: Vec<String> = text.split_whitespace().map(word).filter(|word| !word.is_empty()).collect();
        let (Some(new_first), Some(new_last)) = (text_words.first(), text_words.last()) else { return true };
        let beside =
            |left: &Token, right: &Token| left.sentence == right.sentence && left.flags.word() && right.flags.word();
        let doubled_before = before.is_some_and(|b| {
            beside(b, first) && self.norm(b) == new_first && self.norm(first) != new_first && right_beside(b, first)
        });
        let doubled_after = after.is_some_and(|a| {
            beside(last, a) && self.norm(a) == new_last && self.norm(last) != new_last && right_beside(last, a)
        });
        !doubled_before && !doubled_after && self.pronouns_kept(covered, text)
    }

    fn pronouns_kept(&self, covered: &[Token], text: &str) -> bool {
        let [token] = covered else { return true };
        let lemma = self.document.string(token.lemma);
        if lemma.ends_with("rse") || lemma.ends_with("-se") || text.is_empty() {
            return true;
        }
        let parts = &self.document.parts()[token.parts.start as usize..token.parts.end as usize];
        let [verb, pronouns @ ..] = parts else { return true };
        if !matches!(verb.pos, Upos::Verb | Upos::Aux)
            || pronouns.is_empty()
            || pronouns.iter().any(|p| p.pos != Upos::Pron)
        {
            return true;
        }
        let language = self.document.language();
        let text = normal_form(text);
        let said = |part: &str| text.contains(part.trim_matches(['-', '\'']));
        let pronoun = |word: &str| self.inflect.readings(language, word).iter().any(|r| r.pos == Upos::Pron);
        pronouns.iter().all(|p| said(&normal_form(self.document.string(p.form))))
            || text.contains(['-', '\''])
            || text.split(' ').any(pronoun)
    }

    /// Whether what stands after an edit reads on: spaces, and agreement with the determiner that stays before it.
    fn carried_out(&self, edit: &Edit, all: &[Edit]) -> bool {
        if edit.text.contains("  ") {
            return false;
        }
        let (before, covered, _) = self.tokens(edit.span);
        let (Some(before), Some(first)) = (before, covered.first()) else { return true };
        let stays = !all.iter().any(|other| other.span.overlaps(before.span));
        if before.pos != Upos::Det || !stays || before.sentence != first.sentence || edit.span.start > first.span.start
        {
            return true;
        }
        let word = edit.text.split(' ').next().unwrap_or_default();
        if word.chars().any(char::is_uppercase) && !word.chars().any(char::is_lowercase) {
            return true;
        }
        let determiner = self.described(self.norm(before), &[Upos::Det]);
        let noun = self.described(&word.to_lowercase(), &[Upos::Noun, Upos::Adj]);
        let old = self.described(self.norm(first), &[Upos::Noun, Upos::Adj]);
        noun.is_empty() || determiner.is_empty() || agree(&determiner, &noun) || !agree(&determiner, &old)
    }

    fn described(&self, word: &str, of: &[Upos]) -> Vec<FormReading> {
        let readings = self.inflect.readings(self.document.language(), word);
        readings.into_iter().filter(|reading| of.contains(&reading.pos)).collect()
    }
}

fn right_beside(left: &Token, right: &Token) -> bool {
    right.span.start - left.span.end <= 1
}

/// Whether a reading of one word agrees with one of another in gender and number.
fn agree(left: &[FormReading], right: &[FormReading]) -> bool {
    let same = |l: &FormReading, r: &FormReading, name| match (feature(&l.feats, name), feature(&r.feats, name)) {
        (Some(l), Some(r)) => l == r,
        _ => true,
    };
    left.iter().any(|l| right.iter().any(|r| same(l, r, "Gender") && same(l, r, "Number")))
}
