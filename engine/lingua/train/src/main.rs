//! Makes the models of the linguistic runtime from treebanks and lexica, and judges them.
//!
//! It must never know of: rules, genres, reports.
#![allow(clippy::disallowed_methods, reason = "the trainer reads treebanks and writes model files")]

mod clusters;
mod conventions;
mod evaluate;
mod footprint;
mod frequency;
mod gold_set;
mod inflection;
mod jackknife;
mod lemmas;
mod lexicon;
mod parser;
mod sentences;
mod source;
mod speed;
mod syllables;
mod tagger;
#[cfg(test)]
mod tests;
mod treebank;
mod word_classes;

use anyhow::{Context, Result};
use clap::{Args, Parser, Subcommand};
use glosa_lingua::tagger::{CompandedWeights, TagModel, TagTables};
use glosa_lingua::{Clusters, Frequencies, LanguageModels, LemmaSources, LemmaTables, Lexicon, Runtime};
use glosa_text::Language;
use source::Data;
use std::path::{Path, PathBuf};
use treebank::Document;

#[derive(Parser)]
#[command(about = "Makes and judges the models of glosa's linguistic runtime")]
struct Arguments {
    /// Folder with the treebanks and lexica: es/, ca/, en/.
    #[arg(long, global = true, default_value = "data")]
    data: PathBuf,
    /// Folder of the model files.
    #[arg(long, global = true, default_value = "engine/lingua/models")]
    models: PathBuf,
    /// Only this language.
    #[arg(long, short, global = true)]
    language: Option<Language>,
    /// Keep the held-out documents out of training (for development; the shipped models use everything).
    #[arg(long, global = true)]
    hold_out: bool,
    #[command(subcommand)]
    task: Task,
}

/// How the tagger is trained.
#[derive(Args)]
struct TaggerSettings {
    /// Bits of the weight table.
    #[arg(long, default_value_t = 20)]
    bits: u32,
    /// Passes over the data.
    #[arg(long, default_value_t = 6)]
    epochs: usize,
    /// Bits of the set of features.
    #[arg(long, default_value_t = 21)]
    set_bits: u32,
    /// Share of features left out at random in training.
    #[arg(long, default_value_t = 0.2)]
    drop: f32,
    /// A feature seen less often has no weights.
    #[arg(long, default_value_t = 2)]
    least: u16,
    /// Models that are averaged.
    #[arg(long, default_value_t = 1)]
    averaged: u64,
    /// Length of the steps.
    #[arg(long, default_value_t = 0.03)]
    rate: f32,
    /// Lead of the best tag, as logarithm of the odds, below which a word is looked at a second time.
    #[arg(long, default_value_t = 3.0)]
    doubt: f32,
    /// Parts of the data for the training of the second look.
    #[arg(long, default_value_t = 3)]
    folds_of_training: usize,
}

impl TaggerSettings {
    fn settings(&self) -> tagger::Settings {
        tagger::Settings {
            bits: self.bits,
            epochs: self.epochs,
            set_bits: self.set_bits,
            least: self.least,
            drop: self.drop,
            rate: self.rate,
            doubt: self.doubt,
            folds: self.folds_of_training,
            seeds: (0..self.averaged).collect(),
        }
    }
}

/// How the parser is trained.
#[derive(Args)]
struct ParserSettings {
    /// Numbers a word is made of.
    #[arg(long, default_value_t = 128)]
    width: usize,
    /// Recurrent layers.
    #[arg(long, default_value_t = 2)]
    layers: usize,
    /// Numbers that arcs are scored with.
    #[arg(long, default_value_t = 64)]
    arc: usize,
    /// Numbers that relations are scored with.
    #[arg(long, default_value_t = 48)]
    label: usize,
    /// Passes over the data.
    #[arg(long, default_value_t = 15)]
    epochs: usize,
    /// Words of a step.
    #[arg(long, default_value_t = 500)]
    batch: usize,
    /// Length of the steps at their longest.
    #[arg(long, default_value_t = 0.003)]
    rate: f32,
    /// Share of the input of each layer that is left out at random.
    #[arg(long, default_value_t = 0.2)]
    drop: f32,
    /// Share of words whose form and lemma are hidden.
    #[arg(long, default_value_t = 0.2)]
    hide: f32,
    /// A key seen less often has no embedding.
    #[arg(long, default_value_t = 2)]
    least: u32,
    /// Seed.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// What the additional treebanks count.
    #[arg(long, default_value_t = 1.0)]
    extra_weight: f32,
    /// Times that the hand-made tuning sentences are seen in a pass: they are few, and of the texts that glosa is for.
    #[arg(long, default_value_t = 6)]
    tuning_times: usize,
}

impl ParserSettings {
    fn settings(&self) -> parser::Settings {
        parser::Settings {
            width: self.width,
            layers: self.layers,
            arc: self.arc,
            label: self.label,
            epochs: self.epochs,
            batch: self.batch,
            rate: self.rate,
            drop: parser::network::Drop { layer: self.drop, top: self.drop },
            hide: self.hide,
            least: self.least,
            seed: self.seed,
        }
    }
}

#[derive(Subcommand)]
enum Task {
    /// Make the lexicon automaton.
    Lexicon,
    /// Train the sentence splitter.
    Sentences,
    /// Train the tagger and the lemmatiser.
    Tagger {
        #[command(flatten)]
        settings: TaggerSettings,
        /// Times that the hand-made tuning sentences are seen: they are few, and of the texts that glosa is for.
        #[arg(long, default_value_t = 10)]
        tuning_times: usize,
        /// Learn the lemmas alone.
        #[arg(long)]
        lemmas_only: bool,
        /// Do not use the additional treebanks and the text that another model tagged.
        #[arg(long)]
        gold_only: bool,
    },
    /// Train and judge on each fold of the gold documents in turn, without writing a model.
    Cross {
        #[command(flatten)]
        settings: TaggerSettings,
        /// Folds that are judged, from the first.
        #[arg(long, default_value_t = 6)]
        folds: usize,
        /// Also print the most frequent confusions.
        #[arg(long)]
        confusions: bool,
    },
    /// Tag the treebanks with taggers that have not seen them, for the parser: `<data>/<language>/parser/*.conllu`.
    Jackknife {
        #[command(flatten)]
        settings: TaggerSettings,
        /// Folds.
        #[arg(long, default_value_t = 8)]
        folds: usize,
    },
    /// Score the conversion of constituent trees.
    Constituents,
    /// Train the parser on what `jackknife` tagged.
    Parser {
        #[command(flatten)]
        settings: ParserSettings,
        /// Go on from the parser in the folder of the models: its sizes and relations stay, what is new is learnt. With
        /// fewer passes and shorter steps (`--epochs 2 --rate 0.001`).
        #[arg(long)]
        go_on: bool,
        /// With `--go-on`: the share of the way by which the numbers go back to what they were, so that the texts that
        /// the parser knew before lose nothing.
        #[arg(long, default_value_t = 0.3)]
        keep: f32,
    },
    /// Make the table of word clusters.
    Clusters,
    /// Make the frequency table.
    Frequency,
    /// Make the table of English words whose syllables the rule gets wrong.
    Syllables,
    /// Score the syllables: hand-made lists, and English running words against the CMU dictionary.
    SyllableScores {
        /// Folder of the hand-made lists.
        #[arg(long, default_value = GOLD_FOLDER)]
        folder: PathBuf,
    },
    /// Print what the shipped models cost: bytes, time to load, resident memory.
    Footprint,
    /// Score the hand-made gold sets beside the models; `tune` or `test` half.
    Gold {
        /// Which half of the sentences.
        #[arg(long, default_value = "tune")]
        half: String,
        /// Folder of the sets.
        #[arg(long, default_value = "engine/lingua/gold")]
        folder: PathBuf,
    },
    /// Learn what unknown words are inflected like; print the score on held-out lemmas.
    Inflection,
    /// Measure words per CPU second, loading and memory on `<language>.txt` of a folder.
    Speed {
        /// Folder with es.txt, ca.txt and en.txt.
        texts: PathBuf,
    },
    /// Print the score table on the held-out documents.
    Evaluate {
        /// Also print the most frequent confusions.
        #[arg(long)]
        confusions: bool,
        /// Take the cut into sentences and words from the gold text.
        #[arg(long)]
        gold_words: bool,
        /// Also print each word that is not right, then each that is attached wrongly.
        #[arg(long)]
        errors: bool,
    },
}

/// One document of so many is held out, where there is no held-out file.
const HELD_OUT_EVERY: usize = 6;

/// Times that an item of the tuning half of the sentence set is seen.
const ITEM_TIMES: usize = 3;
/// Folder of the hand-made sets.
const GOLD_FOLDER: &str = "engine/lingua/gold";

fn tuning_file(language: Language, name: &str) -> Result<String> {
    let path = Path::new(GOLD_FOLDER).join(language.code()).join(name);
    std::fs::read_to_string(&path)
        .with_context(|| format!("{} is missing: run the trainer from the root of the repository", path.display()))
}

fn tuning_documents(language: Language) -> Result<Vec<Document>> {
    treebank::read(&tuning_file(language, "tune.conllu")?).context("reading tune.conllu")
}

fn treebank_relations(language: Language) -> Result<conventions::Relations> {
    let path = Path::new(GOLD_FOLDER).join("relations.tsv");
    let table = std::fs::read_to_string(&path)
        .with_context(|| format!("{} is missing: run the trainer from the root of the repository", path.display()))?;
    conventions::Relations::read(&table, language).with_context(|| format!("reading {}", path.display()))
}

fn tuning_items(language: Language) -> Result<Vec<Document>> {
    let text = tuning_file(language, "sentences.txt")?;
    let items = text.lines().filter(|l| l.starts_with("tune")).filter_map(|l| l.splitn(3, '\t').nth(2));
    Ok(items.map(gold_set::document).collect())
}

fn gold(data: &Data, language: Language) -> Result<(Vec<Document>, Vec<Document>)> {
    let mut training = Vec::new();
    for file in Data::gold(language) {
        training.extend(data.treebank(file)?);
    }
    let held_out = match Data::held_out(language) {
        Some(file) => data.treebank(file)?,
        None => {
            let mut number = 0;
            let (kept, held_out) = training.into_iter().partition(|_| {
                number += 1;
                number % HELD_OUT_EVERY != 0
            });
            training = kept;
            held_out
        }
    };
    Ok((training, held_out))
}

fn extra(data: &Data, language: Language) -> Result<Vec<Vec<Document>>> {
    let read = |files: &&[&str]| {
        let mut documents = Vec::new();
        for file in *files {
            documents.extend(data.treebank(file)?);
        }
        if language == Language::En {
            conventions::unmark_acronyms(&mut documents);
        }
        Ok(documents)
    };
    Data::extra(language).iter().map(read).collect()
}

fn tagged(data: &Data, language: Language) -> Result<Vec<Document>> {
    let path = Data::tagged(language);
    if data.has(&path) { data.treebank(&path) } else { Ok(Vec::new()) }
}

fn models_of(models: &Path, language: Language) -> LanguageModels {
    LanguageModels::from_files(|name| std::fs::read(models.join(language.code()).join(name)).unwrap_or_default())
}

fn load(models: &Path) -> Result<Runtime> {
    Ok(Runtime::with_models(|language| models_of(models, language))?)
}

fn write(models: &Path, language: Language, name: &str, bytes: &[u8]) -> Result<()> {
    let folder = models.join(language.code());
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(name);
    std::fs::write(&path, bytes).with_context(|| format!("writing {}", path.display()))?;
    println!("{} {} bytes", path.display(), bytes.len());
    Ok(())
}

fn cross(
    data: &Data,
    models: &Path,
    language: Language,
    settings: &tagger::Settings,
    folds: usize,
    confusions: bool,
) -> Result<()> {
    let (mut documents, held_out) = gold(data, language)?;
    documents.extend(held_out);
    let mut extra = extra(data, language)?;
    let mut tagged = tagged(data, language)?;
    let mut total = evaluate::Scores::default();
    for fold in 0..folds {
        let mut number = 0;
        let (mut training, judged): (Vec<Document>, Vec<Document>) = documents.clone().into_iter().partition(|_| {
            number += 1;
            number % HELD_OUT_EVERY != fold
        });
        let mut bytes = models_of(models, language);
        let lexicon = Lexicon::new(bytes.lexicon.clone(), &bytes.lexicon_table)?;
        let mut sentence_documents: Vec<(&Document, usize)> = training.iter().map(|d| (d, 1)).collect();
        if language == Language::En {
            sentence_documents.extend(extra[0].iter().map(|d| (d, 1)));
        }
        bytes.sentences = sentences::train(language, &sentence_documents).into();
        let frequencies = Frequencies::new(bytes.frequency.clone())?;
        let sources = std::iter::once(&mut training).chain([&mut tagged]).chain(&mut extra);
        conventions::mend_slips(sources, &lexicon, &frequencies);
        let mut examples: Vec<tagger::Example<'_>> = tagger::examples(&training, 0).collect();
        for (number, documents) in extra.iter().enumerate() {
            examples.extend(tagger::examples(documents, number + 1));
        }
        examples.extend(tagger::tagged_examples(&tagged, extra.len() + 1));
        let (tables, tags) = tagger::tables(language, &examples, &lexicon);
        let mut model = TagModel::new(tables, &lexicon, Clusters::from_bytes(&bytes.clusters)?);
        let (weights, features) = tagger::train_passes(&mut model, &lexicon, &examples, &tags, settings, false);
        bytes.tags = model.tables.to_bytes().into();
        bytes.weights = tagger::compand(&weights).into();
        bytes.features = features.into();
        let sources = LemmaSources { language, model: &model, lexicon: &lexicon, frequencies: &frequencies };
        bytes.lemmas = lemmas::learn(sources, &examples, &tags).to_bytes().into();
        let runtime = Runtime::with_models(|l| if l == language { bytes.clone() } else { LanguageModels::default() })?;
        let scores = evaluate::evaluate(&runtime, language, judged.iter());
        println!("{language} fold {}  {}", fold + 1, scores.line());
        total.add(scores);
    }
    println!("{language} all     {}", total.line());
    if confusions {
        total.print_confusions();
    }
    Ok(())
}

/// Gives the sentences of CESS-ESP the heads and relations that follow from their constituents.
fn constituent_trees(data: &Data, hold_out: bool, extra: &mut [Document]) -> Result<()> {
    const PASSES: usize = 12;
    const FOLDS: usize = 6;
    let (first, held_out) = gold(data, Language::Es)?;
    let held_out = if hold_out { Vec::new() } else { held_out };
    let both: Vec<Document> = first.into_iter().chain(held_out).collect();
    let both = parser::constituents::pairs(&data.read("es/train/es_cess-trees-also-in-ancora-dev.txt")?, &both, false);
    println!(
        "{} sentences in both; conversion {}",
        both.len(),
        parser::constituents::Converter::cross(&both, FOLDS, PASSES).line()
    );
    let converter = parser::constituents::Converter::learn(&both.iter().collect::<Vec<_>>(), PASSES);
    let documents = data.treebank("es/train/es_cess-nltk-converted.conllu")?;
    let pairs = parser::constituents::pairs(&data.read("es/train/es_cess-trees.txt")?, &documents, true);
    let count = parser::constituents::add_trees(&converter, &pairs, extra);
    println!(
        "{} of {} sentences read, {count} converted",
        pairs.len(),
        documents.iter().map(|d| d.sentences.len()).sum::<usize>()
    );
    Ok(())
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let data = Data::new(&arguments.data);
    let languages: Vec<Language> = arguments.language.map_or_else(|| Language::ALL.to_vec(), |l| vec![l]);
    for language in languages {
        match &arguments.task {
            Task::Lexicon => {
                let (automaton, table) = lexicon::build(&data, language, |_| false)?;
                write(&arguments.models, language, "lexicon.fst", &automaton)?;
                write(&arguments.models, language, "lexicon.tbl", &table)?;
            }
            Task::Sentences => {
                let (training, held_out) = gold(&data, language)?;
                let mut documents: Vec<(&Document, usize)> = training.iter().map(|d| (d, 1)).collect();
                if !arguments.hold_out {
                    documents.extend(held_out.iter().map(|d| (d, 1)));
                }
                let extra = if language == Language::En { extra(&data, language)? } else { Vec::new() };
                documents.extend(extra.iter().flatten().map(|d| (d, 1)));
                let items = tuning_items(language)?;
                documents.extend(items.iter().map(|d| (d, ITEM_TIMES)));
                write(&arguments.models, language, "sentences.bin", &sentences::train(language, &documents))?;
            }
            Task::Tagger { settings, tuning_times, lemmas_only, gold_only } => {
                let (mut training, mut held_out) = gold(&data, language)?;
                let mut extra = if *gold_only { Vec::new() } else { extra(&data, language)? };
                let mut tagged = if *gold_only { Vec::new() } else { tagged(&data, language)? };
                let mut tuning = tuning_documents(language)?;
                let folder = arguments.models.join(language.code());
                let lexicon = Lexicon::new(
                    std::fs::read(folder.join("lexicon.fst"))?.into(),
                    &std::fs::read(folder.join("lexicon.tbl"))?,
                )?;
                let frequencies =
                    Frequencies::new(std::fs::read(folder.join("frequency.bin")).unwrap_or_default().into())?;
                let sources = [&mut training, &mut held_out, &mut tagged, &mut tuning];
                conventions::mend_slips(sources.into_iter().chain(&mut extra), &lexicon, &frequencies);
                let mut examples: Vec<tagger::Example<'_>> = tagger::examples(&training, 0).collect();
                if !arguments.hold_out {
                    examples.extend(tagger::examples(&held_out, 0));
                }
                for (number, documents) in extra.iter().enumerate() {
                    examples.extend(tagger::examples(documents, number + 1));
                }
                examples.extend(tagger::tagged_examples(&tagged, extra.len() + 1));
                examples.extend(tagger::repeated_examples(&tuning, 0, *tuning_times));
                let settings = settings.settings();
                let (tables, tags) = tagger::tables(language, &examples, &lexicon);
                let clusters = Clusters::from_bytes(&std::fs::read(folder.join("clusters.bin")).unwrap_or_default())?;
                let mut model = TagModel::new(tables, &lexicon, clusters);
                if !lemmas_only {
                    let (weights, features) =
                        tagger::train_passes(&mut model, &lexicon, &examples, &tags, &settings, true);
                    write(&arguments.models, language, "tags.bin", &model.tables.to_bytes())?;
                    write(&arguments.models, language, "features.bin", &features)?;
                    write(&arguments.models, language, "weights.bin", &tagger::compand(&weights))?;
                }
                let sources = LemmaSources { language, model: &model, lexicon: &lexicon, frequencies: &frequencies };
                let lemmas = lemmas::learn(sources, &examples, &tags);
                write(&arguments.models, language, "lemmas.bin", &lemmas.to_bytes())?;
            }
            Task::Cross { settings, folds, confusions } => {
                cross(&data, &arguments.models, language, &settings.settings(), *folds, *confusions)?;
            }
            Task::Jackknife { settings, folds } => {
                let (training, held_out) = gold(&data, language)?;
                let mut treebanks = vec![training, held_out];
                treebanks.extend(extra(&data, language)?.into_iter().map(jackknife::parts));
                let models = models_of(&arguments.models, language);
                jackknife::retag(language, &models, &mut treebanks, *folds, &settings.settings())?;
                let folder = arguments.data.join(language.code()).join("parser");
                std::fs::create_dir_all(&folder)?;
                for (name, documents) in ["training", "held-out", "extra"].iter().zip(&treebanks) {
                    std::fs::write(folder.join(format!("{name}.conllu")), jackknife::write(documents))?;
                }
            }
            Task::Constituents => {
                if language == Language::Es {
                    constituent_trees(&data, arguments.hold_out, &mut [])?;
                }
            }
            Task::Parser { settings, go_on, keep } => {
                let folder = arguments.data.join(language.code()).join("parser");
                let read = |name: &str| -> Result<Vec<Document>> {
                    match std::fs::read_to_string(folder.join(name)) {
                        Ok(text) => treebank::read(&text).with_context(|| format!("reading {name}")),
                        Err(_) => Ok(Vec::new()),
                    }
                };
                let (training, held_out, mut extra) =
                    (read("training.conllu")?, read("held-out.conllu")?, read("extra.conllu")?);
                match language {
                    Language::Es => constituent_trees(&data, arguments.hold_out, &mut extra)?,
                    Language::Ca => {
                        let mut translated = data.treebank("es/train/es_cess-nltk-converted.conllu")?;
                        constituent_trees(&data, false, &mut translated)?;
                        let gold = data.treebank(Data::gold(Language::Es)[0])?;
                        let both = gold.iter().chain(&translated).flat_map(|d| &d.sentences);
                        let sources: Vec<&treebank::Sentence> = both.collect();
                        let count = parser::projection::project_all(&sources, &mut extra);
                        println!("{count} sentences with a projected tree");
                    }
                    Language::En => {}
                }
                let mut examples: Vec<parser::Example<'_>> = parser::examples(&training, 0, 1.0).collect();
                if !arguments.hold_out {
                    examples.extend(parser::examples(&held_out, 0, 1.0));
                }
                examples.extend(parser::examples(&extra, 1, settings.extra_weight));
                let mut tuning = tuning_documents(language)?;
                treebank_relations(language)?.apply(&mut tuning);
                for _ in 0..settings.tuning_times {
                    examples.extend(parser::examples(&tuning, 0, 1.0));
                }
                let models = models_of(&arguments.models, language);
                let clusters = Clusters::from_bytes(&models.clusters)?;
                let before = if *go_on { Some(parser::stored::read(&models.parser)?) } else { None };
                let judged: Vec<&treebank::Sentence> = held_out.iter().flat_map(|d| &d.sentences).collect();
                let judged = if arguments.hold_out { judged } else { Vec::new() };
                let mut trained = parser::train(&examples, &clusters, &settings.settings(), before.clone(), &judged);
                if let Some(before) = before {
                    trained.go_back(&before, *keep);
                    if !judged.is_empty() {
                        println!("  gone back by {keep}: {}", trained.score(&judged, &clusters).line());
                    }
                }
                write(&arguments.models, language, "parser.bin", &trained.to_bytes())?;
            }
            Task::Clusters => {
                let bytes = clusters::build(&data, language)?;
                write(&arguments.models, language, "clusters.bin", &bytes)?;
            }
            Task::Frequency => {
                let runtime = load(&arguments.models)?;
                let bytes = frequency::build(&data, language, runtime.lexicon(language))?;
                write(&arguments.models, language, "frequency.bin", &bytes)?;
            }
            Task::Syllables => {
                if language == Language::En {
                    let table = syllables::build(&data, load(&arguments.models)?.frequencies(language))?;
                    write(&arguments.models, language, "syllables.tsv", table.as_bytes())?;
                }
            }
            Task::SyllableScores { folder } => {
                let runtime = load(&arguments.models)?;
                syllables::score_list(&runtime, language, folder)?;
                if language == Language::En {
                    syllables::score_running(&data, &runtime, &gold(&data, language)?.1)?;
                }
            }
            Task::Footprint => return footprint::print(&arguments.models),
            Task::Gold { half, folder } => {
                gold_set::score(&load(&arguments.models)?, language, folder, half)?;
            }
            Task::Speed { texts } => {
                let text = std::fs::read_to_string(texts.join(format!("{}.txt", language.code())))?;
                speed::measure(language, &text, || load(&arguments.models))?;
            }
            Task::Inflection => {
                let runtime = load(&arguments.models)?;
                let (lexicon, frequencies) = (runtime.lexicon(language), runtime.frequencies(language));
                let (scores, wrong) = inflection::measure(&data, language, lexicon, frequencies)?;
                let mut sum = inflection::Score::default();
                for (paradigm, score) in &scores {
                    println!("{language} {paradigm:?}: {}", score.line());
                    sum.add(score);
                }
                println!("{language}: {}", sum.line());
                for line in wrong.iter().step_by(wrong.len().div_ceil(40).max(1)) {
                    println!("  {line}");
                }
                let table = inflection::learn(language, lexicon, frequencies);
                write(&arguments.models, language, "inflection.tsv", table.as_bytes())?;
            }
            Task::Evaluate { confusions, gold_words, errors } => {
                let (_, held_out) = gold(&data, language)?;
                let scores = if *gold_words {
                    let bytes = models_of(&arguments.models, language);
                    let lexicon = Lexicon::new(bytes.lexicon, &bytes.lexicon_table)?;
                    let clusters = Clusters::from_bytes(&bytes.clusters)?;
                    let model = &TagModel::new(TagTables::from_bytes(&bytes.tags)?, &lexicon, clusters);
                    let frequencies = &Frequencies::new(bytes.frequency)?;
                    let weights = CompandedWeights::new(bytes.weights, bytes.features)?;
                    let lemmas = LemmaTables::from_bytes(&bytes.lemmas)?;
                    let sources = LemmaSources { language, model, lexicon: &lexicon, frequencies };
                    evaluate::evaluate_words(sources, &weights, &lemmas, held_out.iter())
                } else {
                    evaluate::evaluate(&load(&arguments.models)?, language, held_out.iter())
                };
                println!("{language}  {}", scores.line());
                if scores.trees.words[1] > 0 {
                    println!("{language}  {}", scores.trees.line());
                    let relations = treebank_relations(language)?;
                    let runtime = load(&arguments.models)?;
                    gold_set::score_trees(
                        &runtime,
                        language,
                        Path::new(GOLD_FOLDER),
                        &relations,
                        *confusions,
                        *errors,
                    )?;
                }
                if *errors {
                    println!("{}", scores.errors.join("\n"));
                    println!("{}", scores.tree_errors.join("\n"));
                }
                if *confusions {
                    scores.print_confusions();
                }
            }
        }
    }
    Ok(())
}
