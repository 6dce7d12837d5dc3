//! Tags treebanks with taggers that have not seen them: the parser must learn from the errors that it will meet.
//!
//! The documents of all treebanks of a language are dealt into folds; a tagger and lemmatiser trained on the others
//! analyses each. Words, heads and relations stay those of the treebank.

use crate::treebank::{Document, Sentence, Word};
use crate::{conventions, lemmas, tagger};
use anyhow::Result;
use glosa_lingua::slip::{Slip, with_mark};
use glosa_lingua::tagger::{CompandedWeights, FormFacts, TagModel, lower_form};
use glosa_lingua::{Clusters, Frequencies, LanguageModels, LemmaSources, Lexicon};
use glosa_text::Language;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Replaces tags, features and lemmas of all treebanks by predicted ones; the first treebank sets the conventions.
pub fn retag(
    language: Language,
    models: &LanguageModels,
    treebanks: &mut [Vec<Document>],
    folds: usize,
    settings: &tagger::Settings,
) -> Result<()> {
    let lexicon = Lexicon::new(models.lexicon.clone(), &models.lexicon_table)?;
    let frequencies = Frequencies::new(models.frequency.clone())?;
    let mut mended = treebanks.to_vec();
    conventions::mend_slips(mended.iter_mut(), &lexicon, &frequencies);
    for fold in 0..folds {
        let mut examples: Vec<tagger::Example<'_>> = Vec::new();
        for (source, documents) in mended.iter().enumerate() {
            for (_, document) in documents.iter().enumerate().filter(|(number, _)| number % folds != fold) {
                examples.extend(tagger::examples(std::slice::from_ref(document), source));
            }
        }
        let (tables, tags) = tagger::tables(language, &examples, &lexicon);
        let mut model = TagModel::new(tables, &lexicon, Clusters::from_bytes(&models.clusters)?);
        let (weights, features) = tagger::train_passes(&mut model, &lexicon, &examples, &tags, settings, false);
        let weights = CompandedWeights::new(tagger::compand(&weights).into(), features.into())?;
        let sources = LemmaSources { language, model: &model, lexicon: &lexicon, frequencies: &frequencies };
        let lemmas = lemmas::learn(sources, &examples, &tags);
        let (mut right, mut words) = (0usize, 0usize);
        let mut known: FxHashMap<String, (Option<Slip>, FormFacts)> = FxHashMap::default();
        let (mut positions, mut found) = (Vec::new(), Vec::new());
        for documents in treebanks.iter_mut() {
            let parts = documents.iter_mut().enumerate().filter(|(number, _)| number % folds == fold);
            for sentence in parts.flat_map(|(_, document)| &mut document.sentences) {
                for word in &sentence.words {
                    known.entry(word.form.clone()).or_insert_with(|| {
                        let marks = model.marks_slips();
                        let slip = if marks { Slip::find(&lexicon, &frequencies, &word.form) } else { None };
                        let meant = slip.as_ref().map_or(&word.form, |slip| &slip.meant);
                        let facts = model.facts(&lexicon, meant, None);
                        (slip, facts)
                    });
                }
                let facts: Vec<&FormFacts> = sentence.words.iter().map(|w| &known[&w.form].1).collect();
                model.positions(&weights, &facts, false, &mut positions);
                model.tag(&weights, &positions, &mut found);
                for (word, tag) in sentence.words.iter_mut().zip(&found) {
                    let slip = &known[&word.form].0;
                    let meant = slip.as_ref().map_or(&word.form, |slip| &slip.meant);
                    let upos = model.upos(*tag).as_str();
                    words += 1;
                    right += usize::from(word.upos == upos);
                    let lemma = lemmas.lemma(sources, meant, &lower_form(meant), *tag);
                    let own = model.feats(*tag);
                    let feats = slip.as_ref().map_or_else(|| own.to_owned(), |slip| with_mark(own, slip.mark));
                    *word = Word {
                        lemma,
                        upos: upos.to_owned(),
                        feats: if feats.is_empty() { "_".to_owned() } else { feats },
                        ..std::mem::take(word)
                    };
                }
            }
        }
        println!("{language} fold {}: {:.2} % of {words} words right", fold + 1, 100.0 * right as f64 / words as f64);
    }
    Ok(())
}

/// Cuts treebanks that do not mark their documents into parts, so that each fold gets its share.
pub fn parts(documents: Vec<Document>) -> Vec<Document> {
    const SENTENCES: usize = 25;
    let cut = |document: Document| {
        let parts = document.sentences.chunks(SENTENCES).map(<[Sentence]>::to_vec).collect::<Vec<_>>();
        parts.into_iter().map(|sentences| Document { text: String::new(), sentences })
    };
    documents.into_iter().flat_map(cut).collect()
}

/// Writes documents in CoNLL-U: words, heads and relations, without the raw text.
pub fn write(documents: &[Document]) -> String {
    let mut out = String::new();
    for document in documents {
        let mut mark = "# newdoc\n";
        for sentence in &document.sentences {
            out.push_str(mark);
            mark = "";
            write_sentence(&mut out, sentence);
        }
    }
    out
}

fn write_sentence(out: &mut String, sentence: &Sentence) {
    let _ = writeln!(out, "# sent_id = {}", sentence.id);
    for (number, word) in sentence.words.iter().enumerate() {
        let head = word.head.map_or_else(|| "_".to_owned(), |head| head.to_string());
        let Word { form, lemma, upos, feats, relation, .. } = word;
        let _ = writeln!(out, "{}\t{form}\t{lemma}\t{upos}\t_\t{feats}\t{head}\t{relation}\t_\t_", number + 1);
    }
    out.push('\n');
}
