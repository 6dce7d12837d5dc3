//! Counts of a document and their sums, for formulas.

use glosa_text::{BlockKind, Document};

/// Counts of one document. They are numbers with decimals, so that formulas divide them as they stand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    /// Unicode code points.
    pub characters: f64,
    /// Those of them that are no white space.
    pub characters_no_spaces: f64,
    /// Orthographic words.
    pub words: f64,
    /// Letters of all words.
    pub letters: f64,
    /// Words with a letter.
    pub letter_words: f64,
    /// Variance of the letters of words with a letter, of the population.
    pub word_length_variance: f64,
    /// Syllables of all words.
    pub syllables: f64,
    /// Words whose syllables are counted.
    pub syllabic_words: f64,
    /// Words of three syllables and more.
    pub long_words: f64,
    /// Sentences; headings are none.
    pub sentences: f64,
    /// Words of the middle sentence, by length; 0 without sentences, as the next two.
    pub sentence_length_median: f64,
    /// Words of the longest sentence.
    pub sentence_length_max: f64,
    /// Standard deviation of the words of a sentence, of the population.
    pub sentence_length_deviation: f64,
    /// Paragraphs.
    pub paragraphs: f64,
    /// Words in paragraphs.
    pub paragraph_words: f64,
    /// Sentences in paragraphs.
    pub paragraph_sentences: f64,
    /// Headings.
    pub headings: f64,
    /// Words in headings.
    pub heading_words: f64,
    /// List items.
    pub list_items: f64,
    /// Words in list items.
    pub item_words: f64,
    /// Lists: items that follow one another.
    pub list_count: f64,
    /// Tokens that are words or numbers.
    pub tokens: f64,
    /// Tokens with a letter.
    pub word_tokens: f64,
    /// Commas that are tokens: not those inside numbers.
    pub commas: f64,
    /// Colons inside a sentence, with something after them.
    pub inner_colons: f64,
    /// Words of each sentence, in ascending order.
    sentence_lengths: Vec<u32>,
}

/// Mean of squares minus square of the mean; rounding may not make it negative.
fn variance(count: f64, sum: f64, squares: f64) -> f64 {
    if count == 0.0 {
        return 0.0;
    }
    let mean = sum / count;
    (squares / count - mean * mean).max(0.0)
}

impl Counts {
    pub(super) fn of(document: &Document) -> Counts {
        let mut counts = Counts {
            characters: document.code_points().into(),
            characters_no_spaces: document.text().chars().filter(|c| !c.is_whitespace()).count() as f64,
            ..Counts::default()
        };
        counts.count_words(document);
        counts.count_units(document);
        for token in document.tokens() {
            counts.tokens += f64::from(token.flags.word() || token.flags.number());
            counts.word_tokens += f64::from(token.flags.word());
        }
        counts.commas = document.with_norm(",").len() as f64;
        let inner = document.with_norm(":").iter().filter(|token| {
            let sentence = &document.sentences()[document.tokens()[**token as usize].sentence as usize];
            sentence.index.is_some() && **token + 1 < sentence.tokens.end
        });
        counts.inner_colons = inner.count() as f64;
        counts
    }

    fn count_words(&mut self, document: &Document) {
        let mut squares = 0.0;
        for word in document.words() {
            let letters = f64::from(word.letters);
            self.words += 1.0;
            self.letters += letters;
            squares += letters * letters;
            self.letter_words += f64::from(word.letters > 0);
            self.syllables += f64::from(word.syllables);
            self.syllabic_words += f64::from(word.syllables > 0);
            self.long_words += f64::from(word.syllables >= 3);
        }
        self.word_length_variance = variance(self.letter_words, self.letters, squares);
    }

    fn count_units(&mut self, document: &Document) {
        let mut previous = None;
        for block in document.blocks() {
            match block.kind {
                BlockKind::Paragraph => self.paragraphs += 1.0,
                BlockKind::Heading => self.headings += 1.0,
                BlockKind::ListItem => {
                    self.list_items += 1.0;
                    self.list_count += f64::from(previous != Some(BlockKind::ListItem));
                }
            }
            previous = Some(block.kind);
        }
        let (mut sum, mut squares) = (0.0, 0.0);
        for sentence in document.sentences() {
            let length = sentence.words.len() as u32;
            let words = f64::from(length);
            match document.blocks()[sentence.block as usize].kind {
                BlockKind::Paragraph => {
                    self.paragraph_words += words;
                    self.paragraph_sentences += 1.0;
                }
                BlockKind::ListItem => self.item_words += words,
                BlockKind::Heading => {}
            }
            if sentence.index.is_none() {
                self.heading_words += words;
                continue;
            }
            self.sentences += 1.0;
            sum += words;
            squares += words * words;
            self.sentence_lengths.push(length);
        }
        self.sentence_length_deviation = variance(self.sentences, sum, squares).sqrt();
        self.sentence_lengths.sort_unstable();
        let lengths = &self.sentence_lengths;
        let middle = lengths.len() / 2;
        self.sentence_length_max = lengths.last().copied().unwrap_or(0).into();
        self.sentence_length_median = match lengths.as_slice() {
            [] => 0.0,
            all if all.len() % 2 == 1 => all[middle].into(),
            all => f64::from(all[middle - 1] + all[middle]) / 2.0,
        };
    }

    /// Sentences of more words than these.
    pub fn sentences_over(&self, words: f64) -> f64 {
        let short = self.sentence_lengths.partition_point(|length| f64::from(*length) <= words);
        (self.sentence_lengths.len() - short) as f64
    }
}
