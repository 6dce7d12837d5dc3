//! How two words meet: elision, contraction, and words that change before a sound. An edit that changes a word may change what its
//! neighbour has to look like: «hem de trametre» becomes «hem d'enviar», “a demand” becomes “an order”.
//!
//! What the languages do is `glosa_lingua::junction`.

use glosa_lingua::junction::{Junctions, Meeting, in_the_manner_of};
use glosa_metric::Edit;
use glosa_text::{Document, Language, Span, Token, Upos, normal_form};

/// What mending has to know beside the edit.
pub(crate) struct Seams<'s> {
    pub(crate) document: &'s Document,
    /// The gender of a noun, where it is known.
    pub(crate) gender: &'s dyn Fn(&str) -> Option<String>,
}

fn first_word(text: &str) -> &str {
    text.split(char::is_whitespace)
        .next()
        .unwrap_or_default()
        .trim_end_matches(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’')
}

/// Where the token after an edit starts; beyond the text where there is none.
fn from_right_start(tokens: &[Token], number: usize) -> u32 {
    tokens.get(number).map_or(u32::MAX, |token| token.span.start)
}

fn last_word(text: &str) -> &str {
    text.rsplit(char::is_whitespace).next().unwrap_or_default()
}

/// Whether two words are written as they stand side by side.
pub(crate) fn fits_before(language: Language, left: &str, right: &str) -> bool {
    match Junctions::of(language).meet(left, right, || None) {
        Meeting::As(met) => !met.swallows && met.left == normal_form(left) && met.space() == " ",
        Meeting::Free | Meeting::Unknown => true,
    }
}

impl Seams<'_> {
    fn tokens(&self) -> &[Token] {
        self.document.tokens()
    }

    fn form(&self, token: &Token) -> &str {
        self.document.slice(token.span)
    }

    /// The text between two places, if it is nothing or one space.
    fn gap(&self, from: u32, to: u32) -> Option<&str> {
        let gap = self.document.slice(Span { start: from, end: to });
        (gap.is_empty() || gap == " ").then_some(gap)
    }

    /// The edits of one finding with their neighbours mended; `None` where nobody can say how a neighbour is written.
    pub(crate) fn mend(&self, edits: &[Edit]) -> Option<Vec<Edit>> {
        let all: Vec<Span> = edits.iter().map(|edit| edit.span).collect();
        edits.iter().map(|edit| self.mend_one(edit, &all)).collect()
    }

    fn mend_one(&self, edit: &Edit, all: &[Span]) -> Option<Edit> {
        let tokens = self.tokens();
        let Span { start, end } = edit.span;
        let after_left = tokens.partition_point(|token| token.span.end <= start);
        let from_right = tokens.partition_point(|token| token.span.start < end);
        let covered = tokens.get(after_left..from_right).unwrap_or_default();
        let whole = covered.first().is_none_or(|token| token.span.start >= start)
            && covered.last().is_none_or(|token| token.span.end <= end);
        if !whole || (covered.is_empty() && edit.text.is_empty()) {
            return Some(edit.clone());
        }
        let free = |token: &&Token| !all.iter().any(|span| *span != edit.span && span.overlaps(token.span));
        let right = tokens.get(from_right).filter(free);
        let mut mended = edit.clone();
        self.mend_right(&mut mended, covered, right)?;
        let mut at = after_left;
        while let Some(left) = at.checked_sub(1).and_then(|before| tokens.get(before)).filter(free) {
            let before = tokens.get(at).filter(|token| token.span.start < from_right_start(tokens, from_right));
            if !self.mend_left(&mut mended, before, left, right)? {
                break;
            }
            at -= 1;
        }
        Some(mended)
    }

    /// Mends the word before an edit; whether it was changed, so that the one before it may have to change too.
    fn mend_left(&self, edit: &mut Edit, before: Option<&Token>, left: &Token, right: Option<&Token>) -> Option<bool> {
        if matches!(left.pos, Upos::Noun | Upos::Propn | Upos::Sym | Upos::X) {
            return Some(false);
        }
        let Some(gap) = self.gap(left.span.end, edit.span.start) else { return Some(false) };
        let form = self.form(left);
        if gap.is_empty() && !form.ends_with(['\'', '’']) {
            return Some(false);
        }
        let deletes = edit.text.is_empty();
        let word = match (deletes, right) {
            (true, Some(right)) if right.span.start == edit.span.end => self.form(right),
            (true, _) => return Some(false),
            (false, _) => first_word(&edit.text),
        };
        if before.is_some_and(|before| self.form(before) == word) {
            return Some(false);
        }
        let gender = || if left.pos == Upos::Pron { None } else { (self.gender)(word) };
        let met = match Junctions::of(self.document.language()).meet(form, word, gender) {
            Meeting::Free => return Some(false),
            Meeting::Unknown => return None,
            Meeting::As(met) => met,
        };
        if met.left == normal_form(form) && met.space() == gap && !met.swallows {
            return Some(false);
        }
        let written = in_the_manner_of(form, &met.left, self.document.text().contains('’'));
        let space = met.space();
        edit.span.start = left.span.start;
        edit.text = match (met.swallows, deletes, right) {
            (false, ..) => format!("{written}{space}{}", edit.text),
            (true, true, Some(right)) => {
                edit.span.end = right.span.end;
                written
            }
            (true, ..) => format!("{written}{}", &edit.text[word.len()..]),
        };
        Some(true)
    }

    fn mend_right(&self, edit: &mut Edit, covered: &[Token], right: Option<&Token>) -> Option<()> {
        let (Some(right), Some(old)) = (right, covered.last()) else { return Some(()) };
        let Some(gap) = self.gap(edit.span.end, right.span.start) else { return Some(()) };
        let (old, form) = (self.form(old), self.form(right));
        let last = last_word(&edit.text).to_owned();
        if last.is_empty() || last == old {
            return Some(());
        }
        let elided = old.ends_with(['\'', '’']);
        if gap.is_empty() && !elided {
            return Some(());
        }
        let met = match Junctions::of(self.document.language()).meet(&last, form, || (self.gender)(form)) {
            Meeting::Unknown => return None,
            Meeting::As(met) => met,
            Meeting::Free => {
                let joined = last.ends_with(char::is_alphanumeric) && form.starts_with(char::is_alphanumeric);
                if gap.is_empty() && joined {
                    edit.text.push(' ');
                }
                return Some(());
            }
        };
        let written = in_the_manner_of(&last, &met.left, self.document.text().contains('’'));
        edit.text.truncate(edit.text.len() - last.len());
        edit.text.push_str(&written);
        if met.swallows {
            edit.span.end = right.span.end;
        } else if met.space() != gap {
            edit.span.end = right.span.start;
            edit.text.push_str(met.space());
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glosa_text::{Block, BlockKind, DocumentBuilder, Layout, TokenInput};
    use proptest::prelude::*;

    /// Words, apostrophes at their ends, and signs.
    fn document(language: Language, text: &str) -> Document {
        let block = Block { kind: BlockKind::Paragraph, bytes: 0..text.len(), content: 0..text.len() };
        let mut builder = DocumentBuilder::new(language, text, Layout { blocks: vec![block] });
        builder.sentence(0, 0..text.len());
        let mut from = None;
        let mut pieces = Vec::new();
        for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
            let word = c.is_alphanumeric();
            if !word && let Some(start) = from.take() {
                let end = if matches!(c, '\'' | '’') { at + c.len_utf8() } else { at };
                pieces.push(start..end);
                if end > at {
                    continue;
                }
            }
            if word && from.is_none() {
                from = Some(at);
            } else if !word && !c.is_whitespace() {
                pieces.push(at..at + c.len_utf8());
            }
        }
        for piece in pieces {
            let norm = normal_form(&text[piece.clone()]);
            builder.token(TokenInput {
                bytes: piece,
                norm: &norm,
                lemma: &norm,
                pos: Upos::Adp,
                feats: "",
                zipf: 0,
                known: true,
            });
        }
        builder.finish(|_| 1)
    }

    fn gender(word: &str) -> Option<String> {
        let of = [("pagament", "Masc"), ("resolució", "Fem"), ("carta", "Fem")];
        of.iter().find(|(noun, _)| *noun == word).map(|(_, gender)| (*gender).to_owned())
    }

    fn apply(text: &str, edits: &[Edit]) -> String {
        let edits: Vec<_> = crate::edits::ordered(edits, text.chars().count() as u32).expect("edits that apply");
        crate::apply(text, &edits)
    }

    /// The text with one word put for what stands between `<` and `>`.
    fn with(language: Language, marked: &str, new: &str) -> Option<String> {
        let text = marked.replace(['<', '>'], "");
        let start = marked.chars().position(|c| c == '<').expect("a mark") as u32;
        let end = marked.chars().position(|c| c == '>').expect("a mark") as u32 - 1;
        let document = document(language, &text);
        let seams = Seams { document: &document, gender: &gender };
        let edits = seams.mend(&[Edit { span: Span { start, end }, text: new.to_owned() }])?;
        Some(apply(&text, &edits))
    }

    #[test]
    fn neighbours_are_mended() {
        use Language::{Ca, En, Es};
        for (language, marked, new, after) in [
            (Ca, "hem de <trametre> la carta", "enviar", "hem d'enviar la carta"),
            (Ca, "Hem d’<enviar> l’avís", "trametre", "Hem de trametre l’avís"),
            (Ca, "De <trametre> res", "enviar", "D'enviar res"),
            (Ca, "el <document>", "informe", "l'informe"),
            (Ca, "la <carta>", "informació", "la informació"),
            (Ca, "la <carta>", "obra", "l'obra"),
            (Ca, "la <part>", "illa", "l'illa"),
            (Ca, "del <document> nou", "informe", "de l'informe nou"),
            (Ca, "de l'<informe> nou", "pagament", "del pagament nou"),
            (Ca, "l'<acta> nova", "carta", "la carta nova"),
            (Ca, "de <dit> informe", "el", "de l'informe"),
            (Ca, "a l'<informe>", "pagament", "al pagament"),
            (Ca, "de l'<acta>", "carta", "de la carta"),
            (Ca, "el <document>", "iogurt", "el iogurt"),
            (Ca, "es <tramet> avui", "envia", "s'envia avui"),
            (Ca, "<per tal d'>ajudar", "per", "per ajudar"),
            (Ca, "<per tal d'>ajudar", "a fi de", "a fi d'ajudar"),
            (Ca, "<mitjançant> el pagament", "per mitjà de", "per mitjà del pagament"),
            (Ca, "de <l'esmentat >informe", "", "d'informe"),
            (Es, "por medio de <dicho> informe", "el", "por medio del informe"),
            (Es, "<mediante> el pago", "a través de", "a través del pago"),
            (Es, "<mediante> El País", "a través de", "a través de El País"),
            (Es, "leer y <comunicar>", "informar", "leer e informar"),
            (Es, "leer e <informar>", "decir", "leer y decir"),
            (Es, "agua y <frío>", "hielo", "agua y hielo"),
            (Es, "unos o <varios>", "otros", "unos u otros"),
            (En, "a <demand> now", "inquiry", "an inquiry now"),
            (En, "An <application> form", "request", "A request form"),
            (En, "a <demand>", "honest use", "an honest use"),
            (En, "an <order>", "unit", "a unit"),
            (En, "a <thing>", "unimportant thing", "an unimportant thing"),
            (En, "an <order>", "NGO", "an NGO"),
            (Ca, "l'<impost>", "IVA", "l'IVA"),
            (Ca, "DEL <DOCUMENT>", "INFORME", "DE L'INFORME"),
            (En, "a <big >elephant", "", "an elephant"),
            (En, "the <order>", "use", "the use"),
        ] {
            assert_eq!(with(language, marked, new).as_deref(), Some(after), "{marked} with {new:?}");
        }
        assert_eq!(with(Ca, "l'<abonament>", "tràmit"), None, "el or la: nobody says which");
    }

    fn words() -> impl Strategy<Value = String> {
        let word = prop::sample::select(vec![
            "de", "d'", "l'", "el", "els", "la", "del", "al", "pel", "es", "s'", "a", "an", "y", "e", "o", "u",
            "informe", "hielo", "acta", "pagament", "uso", "unit", "hour", "El", "D’", "A", "OMS", ",", "(", "\u{301}",
            "12",
        ]);
        prop::collection::vec((word, prop::sample::select(vec![" ", " ", " ", "", "\n"])), 1..12)
            .prop_map(|words| words.into_iter().map(|(word, space)| format!("{word}{space}")).collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn mended_edits_apply_and_hold_the_edit(
            text in words(), new in words(), empty in any::<bool>(), at in any::<(u8, u8)>(), language in 0usize..3,
        ) {
            let document = document(Language::ALL[language], &text);
            let tokens = document.tokens();
            prop_assume!(!tokens.is_empty());
            let first = at.0 as usize % tokens.len();
            let last = first + at.1 as usize % (tokens.len() - first).min(3);
            let span = Span { start: tokens[first].span.start, end: tokens[last].span.end };
            let edit = Edit { span, text: if empty { String::new() } else { new.trim().to_owned() } };
            let seams = Seams { document: &document, gender: &gender };
            let Some(mended) = seams.mend(std::slice::from_ref(&edit)) else { return Ok(()) };
            prop_assert!(mended[0].span.start <= span.start && mended[0].span.end >= span.end);
            prop_assert!(mended[0].span.end <= document.code_points());
            if !(mended[0].span.start == mended[0].span.end && mended[0].text.is_empty()) {
                let whole = apply(&text, &mended);
                let untouched: String = text.chars().take(mended[0].span.start as usize).collect();
                prop_assert!(whole.starts_with(&untouched));
            }
        }
    }
}
