//! Where the data of a language lies in the data folder, and reading it, packed with xz or not.

use crate::treebank::{self, Document};
use anyhow::{Context, Result};
use glosa_text::Language;
use std::path::{Path, PathBuf};

/// The data folder.
#[derive(Clone, Debug)]
pub struct Data {
    root: PathBuf,
}

impl Data {
    /// A folder with `es/`, `ca/` and `en/`.
    pub fn new(root: &Path) -> Self {
        Data { root: root.to_owned() }
    }

    /// Reads `path`, or `path.xz`.
    pub fn read(&self, path: &str) -> Result<String> {
        let plain = self.root.join(path);
        if plain.exists() {
            return std::fs::read_to_string(&plain).with_context(|| format!("reading {}", plain.display()));
        }
        let packed = self.root.join(format!("{path}.xz"));
        let file = std::fs::File::open(&packed).with_context(|| format!("opening {}", packed.display()))?;
        let mut out = Vec::new();
        lzma_rs::xz_decompress(&mut std::io::BufReader::new(file), &mut out)
            .map_err(|cause| anyhow::anyhow!("unpacking {}: {cause:?}", packed.display()))?;
        String::from_utf8(out).with_context(|| format!("{} is no UTF-8", packed.display()))
    }

    /// Reads a treebank; its errors name the file and the line.
    pub fn treebank(&self, path: &str) -> Result<Vec<Document>> {
        treebank::read(&self.read(path)?).with_context(|| format!("reading {}", self.root.join(path).display()))
    }

    /// Whether `path` or `path.xz` is there.
    pub fn has(&self, path: &str) -> bool {
        self.root.join(path).exists() || self.root.join(format!("{path}.xz")).exists()
    }

    /// Gold treebanks with raw text, by which a model is also judged: the first files are split when no held-out
    /// file is named.
    pub fn gold(language: Language) -> &'static [&'static str] {
        match language {
            Language::Es => &["es/train/es_ancora-dev-2021-10-29.conllu"],
            Language::Ca => &["ca/train/ca_ancora-dev-2021-10-29.lemmafix.conllu"],
            Language::En => &["en/train/en_ewt-train.conllu"],
        }
    }

    /// A held-out treebank, where there is one.
    pub fn held_out(language: Language) -> Option<&'static str> {
        match language {
            Language::En => Some("en/dev/en_ewt-dev.conllu"),
            _ => None,
        }
    }

    /// Treebanks that only add to the training of the tagger, each with its parts.
    pub fn extra(language: Language) -> &'static [&'static [&'static str]] {
        match language {
            Language::Es => &[&["es/train/es_cess-nltk-converted.conllu"]],
            Language::Ca => &[&["ca/train/ca_silver-projected-from-es.conllu"]],
            Language::En => &[&["en/train/en_gum-open-train.conllu", "en/dev/en_gum-open-dev.conllu"]],
        }
    }

    /// Raw text that a slower model tagged, from which the tagger learns as well; it may be missing.
    pub fn tagged(language: Language) -> String {
        format!("{0}/train/{0}_tagged.conllu", language.code())
    }

    /// The lexicon table: form, lemma, tag.
    pub fn lexicon(language: Language) -> &'static str {
        match language {
            Language::Es => "es/lexicon/languagetool_es.tsv",
            Language::Ca => "ca/lexicon/languagetool_ca.tsv",
            Language::En => "en/lexicon/languagetool_en.tsv",
        }
    }

    /// The word clusters: form, path in the tree as a number; the frequent forms first.
    pub fn clusters(language: Language) -> String {
        format!("{0}/lexicon/spacy_cluster_{0}.tsv", language.code())
    }

    /// Raw text for word clusters, where there is no list of them: one sentence a line.
    pub fn raw_text(language: Language) -> Option<&'static str> {
        (language == Language::Ca).then_some("ca/train/ca_wikipedia_20k_sentences.txt")
    }

    /// The frequency table: form, Zipf frequency.
    pub fn frequency(language: Language) -> String {
        format!("{0}/lexicon/wordfreq_large_zipf_{0}.tsv", language.code())
    }
}
