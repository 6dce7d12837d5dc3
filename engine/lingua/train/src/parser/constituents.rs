//! From the constituent trees of CESS-ESP to heads and relations of Universal Dependencies.
//!
//! CESS is the predecessor of AnCora; some sentences stand in both. From these it is learnt which child of a
//! constituent holds its head, to which sibling each other child belongs, and by which relation: three linear models
//! (averaged perceptrons) over the labels of the constituents and the tags of the words.

use super::score::{Arc, TreeScores};
use crate::treebank::{Document, Sentence, Token};
use glosa_lingua::hash::{hash_str, mix};
use rustc_hash::FxHashMap;

/// A constituent, or a word.
#[derive(Clone, Debug, Default)]
struct Node {
    label: String,
    function: String,
    form: String,
    children: Vec<Node>,
    /// The words under it.
    words: Vec<usize>,
}

impl Node {
    fn is_leaf(&self) -> bool {
        self.children.is_empty()
    }
    /// The label without gender, number and other details.
    fn category(&self) -> &str {
        let end = self.label.find('.').unwrap_or(self.label.len());
        match &self.label[..end] {
            "grup" | "s" | "S" => {
                let next = self.label[end..].find('.').map(|_| &self.label[end + 1..]);
                let second = next.and_then(|rest| rest.split('.').next()).unwrap_or("");
                &self.label[..(end + 1 + second.len()).min(self.label.len())]
            }
            other => other,
        }
    }
    fn coordinated(&self) -> bool {
        self.label.ends_with(".co") || self.label.contains(".co.")
    }
}

/// Reads a tree in brackets; empty elements are left out.
fn read_tree(text: &str) -> Option<Node> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let tokens: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    let node = read_node(&tokens, &mut at);
    node.filter(|_| at == tokens.len())
}

fn read_node(tokens: &[&str], at: &mut usize) -> Option<Node> {
    if tokens.get(*at) != Some(&"(") {
        return None;
    }
    *at += 1;
    let mut node = Node::default();
    let mut atoms = Vec::new();
    while let Some(token) = tokens.get(*at) {
        match *token {
            ")" => {
                *at += 1;
                break;
            }
            "(" => node.children.push(read_node(tokens, at)?),
            atom => {
                atoms.push(atom);
                *at += 1;
            }
        }
    }
    let label = atoms.first().copied().unwrap_or("");
    let (label, function) = label.split_once('-').unwrap_or((label, ""));
    (node.label, node.function) = (label.to_owned(), function.to_owned());
    if let [_, form, _] = atoms[..] {
        node.form = form.replace("-Fpa-", "(").replace("-Fpt-", ")").replace('_', "");
    }
    node.children.retain(|child| !child.is_leaf() || !child.form.is_empty());
    Some(node)
}

/// Gives the leaves their words; `None` where the texts differ. `text` is that of the document.
fn attach_words(root: &mut Node, sentence: &Sentence, text: &str) -> Option<()> {
    fn leaves<'n>(node: &'n mut Node, out: &mut Vec<&'n mut Node>) {
        if node.is_leaf() {
            out.push(node);
        } else {
            node.children.iter_mut().for_each(|child| leaves(child, out));
        }
    }
    let letters = |token: &Token| text[token.bytes.clone()].chars().filter(|c| !c.is_whitespace() && *c != '_').count();
    let written: String = sentence.tokens.iter().map(|t| &text[t.bytes.clone()]).collect();
    let mut all = Vec::new();
    leaves(root, &mut all);
    let form: String = all.iter().map(|leaf| leaf.form.as_str()).collect();
    if written.chars().filter(|c| !c.is_whitespace() && *c != '_').ne(form.chars()) {
        return None;
    }
    let mut ends = Vec::new();
    let mut end = 0;
    for leaf in &all {
        end += leaf.form.chars().count();
        ends.push(end);
    }
    let mut at = 0;
    for token in &sentence.tokens {
        let leaf = ends.partition_point(|end| *end <= at);
        all.get_mut(leaf)?.words.extend(token.words.clone());
        at += letters(token);
    }
    Some(())
}

/// Makes a leaf of each word, moves the article of a contraction to its noun phrase, and drops what has no words.
fn settle(node: &mut Node, sentence: &Sentence) {
    if node.is_leaf() {
        if node.words.len() > 1 {
            let words = std::mem::take(&mut node.words);
            node.children = (words.into_iter())
                .map(|word| Node { label: sentence.words[word].upos.clone(), words: vec![word], ..Node::default() })
                .collect();
            node.label = format!("several.{}", node.label.get(..2).unwrap_or(""));
        }
    } else {
        node.children.iter_mut().for_each(|child| settle(child, sentence));
        node.children.retain(|child| !child.is_leaf() || !child.words.is_empty());
    }
    // del, al: the article goes to what follows.
    for i in 0..node.children.len().saturating_sub(1) {
        let Some(article) = take_article(&mut node.children[i], sentence) else { continue };
        let next = &mut node.children[i + 1];
        if next.is_leaf() {
            let inner = std::mem::take(next);
            let words = article.words.iter().chain(&inner.words).copied().collect();
            let (label, function) = ("sn".to_owned(), inner.function.clone());
            *next = Node { label, function, children: vec![article, inner], words, ..Node::default() };
        } else {
            next.words.splice(0..0, article.words.iter().copied());
            next.children.insert(0, article);
        }
    }
    if let [only] = &mut node.children[..]
        && (node.function.is_empty() || only.function.is_empty())
    {
        let function = std::mem::take(&mut node.function);
        let label = std::mem::take(&mut node.label);
        let mut inner = std::mem::take(only);
        if inner.function.is_empty() {
            inner.function = function;
        }
        if inner.is_leaf() || !label.is_empty() && !matches!(inner.category(), "grup.nom" | "grup.adv" | "grup.a") {
            // The upper label says more of a word than its tag, which the word itself has.
            if inner.is_leaf() {
                inner.label = label;
            }
        } else if !label.is_empty() {
            inner.label = label;
        }
        *node = inner;
    }
    node.words = if node.is_leaf() {
        std::mem::take(&mut node.words)
    } else {
        node.children.iter().flat_map(|child| child.words.iter().copied()).collect()
    };
}

/// The article at the end of a contraction that ends this node.
fn take_article(node: &mut Node, sentence: &Sentence) -> Option<Node> {
    if node.label.starts_with("several") {
        let [first, second] = &node.children[..] else { return None };
        let upos = |n: &Node| n.words.first().map(|w| sentence.words[*w].upos.as_str());
        if upos(first) == Some("ADP") && upos(second) == Some("DET") {
            let mut article = node.children.pop()?;
            article.label = "espec".to_owned();
            let inner = node.children.pop()?;
            *node = Node { label: "prep".to_owned(), words: inner.words, ..Node::default() };
            return Some(article);
        }
        return None;
    }
    let last = node.children.last_mut()?;
    let article = take_article(last, sentence)?;
    node.words.retain(|word| !article.words.contains(word));
    Some(article)
}

/// A linear model that ranks alternatives by their features.
#[derive(Clone, Debug, Default)]
struct Ranker {
    weights: FxHashMap<u64, [f64; 2]>,
    steps: f64,
    averaged: bool,
}

impl Ranker {
    fn score(&self, features: &[u64]) -> f64 {
        features
            .iter()
            .filter_map(|f| self.weights.get(f))
            .map(|[now, sum]| if self.averaged { now - sum / self.steps } else { *now })
            .sum()
    }
    fn best(&self, alternatives: &[Vec<u64>]) -> usize {
        let scores: Vec<f64> = alternatives.iter().map(|features| self.score(features)).collect();
        (0..scores.len()).fold(0, |best, i| if scores[i] > scores[best] { i } else { best })
    }
    fn learn(&mut self, alternatives: &[Vec<u64>], right: usize) {
        self.steps += 1.0;
        let found = self.best(alternatives);
        if found != right {
            for (features, step) in [(&alternatives[right], 1.0), (&alternatives[found], -1.0)] {
                for feature in features {
                    let entry = self.weights.entry(*feature).or_default();
                    entry[0] += step;
                    entry[1] += step * self.steps;
                }
            }
        }
    }
}

/// A linear model that chooses one of some classes.
#[derive(Clone, Debug, Default)]
struct Classifier {
    classes: usize,
    weights: FxHashMap<u64, Vec<[f64; 2]>>,
    steps: f64,
    averaged: bool,
}

impl Classifier {
    fn best(&self, features: &[u64]) -> usize {
        let mut scores = vec![0f64; self.classes];
        for row in features.iter().filter_map(|f| self.weights.get(f)) {
            for (score, [now, sum]) in scores.iter_mut().zip(row) {
                *score += if self.averaged { now - sum / self.steps } else { *now };
            }
        }
        (0..scores.len()).fold(0, |best, i| if scores[i] > scores[best] { i } else { best })
    }
    fn learn(&mut self, features: &[u64], right: usize) {
        self.steps += 1.0;
        let found = self.best(features);
        if found != right {
            for feature in features {
                let row = self.weights.entry(*feature).or_insert_with(|| vec![[0.0; 2]; self.classes]);
                for (class, step) in [(right, 1.0), (found, -1.0)] {
                    row[class][0] += step;
                    row[class][1] += step * self.steps;
                }
            }
        }
    }
}

/// The converter.
#[derive(Clone, Debug, Default)]
pub struct Converter {
    heads: Ranker,
    siblings: Ranker,
    relations: Classifier,
    names: Vec<String>,
}

fn crossed(parts: &[&[&str]]) -> Vec<u64> {
    let hash = |(number, part): (usize, &&[&str])| {
        part.iter().fold(number as u64 + 1, |hash, value| mix(hash_str(value), hash))
    };
    parts.iter().enumerate().map(hash).collect()
}

/// A child of a constituent with the word that stands for it.
struct Child<'n> {
    node: &'n Node,
    head: usize,
}

fn head_features(parent: &Node, children: &[Child<'_>], at: usize, sentence: &Sentence) -> Vec<u64> {
    let word = |child: &Child<'_>| &sentence.words[child.head];
    let child = &children[at];
    let (own, function, upos) = (child.node.category(), child.node.function.as_str(), word(child).upos.as_str());
    let full = parent.label.as_str();
    let category = parent.category();
    let left = at.checked_sub(1).map_or("", |i| children[i].node.category());
    let right = children.get(at + 1).map_or("", |c| c.node.category());
    let functions: Vec<&str> = children.iter().map(|c| c.node.function.as_str()).collect();
    let has = |name: &str| functions.iter().any(|f| f.starts_with(name));
    let attribute = if has("ATR") { "attribute" } else { "" };
    let verb = children.iter().find(|c| matches!(c.node.category(), "grup.verb" | "infinitiu" | "gerundi"));
    let verb = verb.map_or("", |c| word(c).lemma.as_str());
    let first = (0..at).all(|i| children[i].node.category() != own);
    let first = if first { "first" } else { "later" };
    let last = ((at + 1)..children.len()).all(|i| children[i].node.category() != own);
    let last = if last { "last" } else { "earlier" };
    let co = if parent.coordinated() { "co" } else { "" };
    let place = at.to_string();
    crossed(&[
        &[category, own],
        &[full, own],
        &[category, own, function],
        &[category, own, first],
        &[category, own, last],
        &[category, upos],
        &[category, own, upos],
        &[category, own, upos, first],
        &[category, own, upos, last],
        &[category, own, function, attribute],
        &[category, own, function, attribute, verb],
        &[category, own, left],
        &[category, own, right],
        &[category, own, co, first],
        &[category, &place],
        &[category, co, &place],
        &[category, own, &word(child).lemma],
        &[category, &child.node.label],
        &[full, co, first, upos],
        &[category, own, left, right],
    ])
}

fn sibling_features(
    parent: &Node,
    children: &[Child<'_>],
    at: usize,
    other: usize,
    head: usize,
    sentence: &Sentence,
) -> Vec<u64> {
    let word = |child: &Child<'_>| &sentence.words[child.head];
    let (child, target) = (&children[at], &children[other]);
    let is_head = if other == head { "head" } else { "" };
    let side = match other as isize - at as isize {
        1 => "next",
        -1 => "last",
        n if n > 1 => "later",
        _ => "earlier",
    };
    let next = ((at + 1)..other).all(|i| matches!(word(&children[i]).upos.as_str(), "PUNCT" | "CCONJ" | "SCONJ"));
    let next = if other > at && next { "next" } else { "" };
    let (own, upos, theirs) = (child.node.category(), word(child).upos.as_str(), target.node.category());
    let co = if parent.coordinated() { "co" } else { "" };
    let lemma = word(child).lemma.as_str();
    let before = if at < head { "before" } else { "after" };
    let same = if theirs == children[head].node.category() { "same" } else { "" };
    crossed(&[
        &[is_head, upos],
        &[is_head, own, co],
        &[is_head, upos, co, before],
        &[is_head, next, upos, co],
        &[is_head, side, upos, co],
        &[is_head, side, own, theirs],
        &[is_head, next, own, theirs, co],
        &[is_head, lemma, side],
        &[is_head, parent.category(), own, side],
        &[next, upos, same, co],
        &[next, upos, same, is_head, parent.category()],
        &[is_head, own, word(target).upos.as_str(), side],
        &[is_head, &child.node.function, co],
    ])
}

fn relation_features(
    parent: &Node,
    child: &Child<'_>,
    target: &Child<'_>,
    head: usize,
    sentence: &Sentence,
) -> Vec<u64> {
    let (word, other) = (&sentence.words[child.head], &sentence.words[target.head]);
    let (own, function, upos) = (child.node.category(), child.node.function.as_str(), word.upos.as_str());
    let category = parent.category();
    let co = if parent.coordinated() { "co" } else { "" };
    let side = if child.head < target.head { "before" } else { "after" };
    let to_head = if target.head == head { "head" } else { "" };
    let theirs = other.upos.as_str();
    let first = child.node.words.first().map_or("", |w| sentence.words[*w].lemma.as_str());
    let full = child.node.label.as_str();
    let verbal = |feats: &str| feats.split('|').find_map(|f| f.strip_prefix("VerbForm=")).unwrap_or("").to_owned();
    let (form, form_of_head) = (verbal(&word.feats), verbal(&other.feats));
    let passive = if sentence
        .words
        .iter()
        .zip(0..)
        .any(|(w, i)| target.node.words.contains(&i) && w.lemma == "ser" && w.upos == "AUX")
    {
        "ser"
    } else {
        ""
    };
    crossed(&[
        &[],
        &[upos],
        &[upos, theirs],
        &[upos, theirs, side],
        &[own],
        &[own, function],
        &[function],
        &[own, function, category, co],
        &[own, function, upos, theirs],
        &[full, category],
        &[category, own, upos],
        &[category, own, upos, theirs, co],
        &[co, to_head, side, upos],
        &[&word.lemma],
        &[&word.lemma, theirs],
        &[first, own],
        &[first, theirs, own],
        &[function, first],
        &[function, theirs, &form_of_head],
        &[function, passive],
        &[&form, category, own],
        &[&form, theirs, side],
        &[&other.lemma, function],
        &[&other.lemma, upos],
        &[&parent.function, category, upos],
        &[&target.node.label, own, upos],
        &[&word.form, &other.form],
    ])
}

/// A sentence with its tree and, where they are known, its heads and relations.
pub struct Pair<'s> {
    root: Node,
    sentence: &'s Sentence,
}

/// Trees (one a line: id, tab, tree) for the sentences of documents: those whose text is the same.
pub fn pairs<'s>(trees: &str, documents: &'s [Document], by_id: bool) -> Vec<Pair<'s>> {
    let plain = |text: &str| text.chars().filter(|c| !c.is_whitespace() && *c != '_').collect::<String>();
    let mut known: FxHashMap<String, (&Sentence, &str)> = FxHashMap::default();
    for document in documents {
        for sentence in &document.sentences {
            let written: String = sentence.tokens.iter().map(|t| &document.text[t.bytes.clone()]).collect();
            let key = if by_id { sentence.id.clone() } else { plain(&written) };
            known.insert(key, (sentence, &document.text));
        }
    }
    let pair = |line: &str| {
        let (id, tree) = line.split_once('\t')?;
        let mut root = read_tree(tree)?;
        let key = if by_id { id.to_owned() } else { leaves_text(&root) };
        let (sentence, text) = *known.get(&key)?;
        attach_words(&mut root, sentence, text)?;
        settle(&mut root, sentence);
        (root.words.len() == sentence.words.len()).then_some(Pair { root, sentence })
    };
    trees.lines().filter_map(pair).collect()
}

fn leaves_text(node: &Node) -> String {
    if node.is_leaf() { node.form.clone() } else { node.children.iter().map(leaves_text).collect() }
}

/// The word under a node whose head is not under it, if there is just one.
fn exit(node: &Node, sentence: &Sentence) -> Option<usize> {
    let outside = |word: &&usize| {
        let head = sentence.words[**word].head.unwrap_or(0) as usize;
        head == 0 || !node.words.contains(&(head - 1))
    };
    let mut found = node.words.iter().filter(outside);
    found.next().copied().filter(|_| found.next().is_none())
}

impl Converter {
    /// Learns from sentences that have both.
    pub fn learn(pairs: &[&Pair<'_>], passes: usize) -> Self {
        let mut converter = Converter::default();
        for word in pairs.iter().flat_map(|pair| &pair.sentence.words) {
            if !converter.names.contains(&word.relation) {
                converter.names.push(word.relation.clone());
            }
        }
        converter.names.sort();
        converter.relations.classes = converter.names.len();
        for _ in 0..passes {
            pairs.iter().for_each(|pair| converter.learn_node(&pair.root, pair.sentence));
        }
        converter.heads.averaged = true;
        converter.siblings.averaged = true;
        converter.relations.averaged = true;
        converter
    }

    fn learn_node(&mut self, node: &Node, sentence: &Sentence) {
        node.children.iter().for_each(|child| self.learn_node(child, sentence));
        let child = |child| Some(Child { node: child, head: exit(child, sentence)? });
        let children: Option<Vec<Child<'_>>> = node.children.iter().map(child).collect();
        let Some(children) = children.filter(|children| children.len() > 1) else { return };
        let Some(head) = exit(node, sentence).and_then(|word| children.iter().position(|c| c.head == word)) else {
            return;
        };
        let all: Vec<Vec<u64>> = (0..children.len()).map(|i| head_features(node, &children, i, sentence)).collect();
        self.heads.learn(&all, head);
        for at in (0..children.len()).filter(|at| *at != head) {
            let word = &sentence.words[children[at].head];
            let gold = word.head.unwrap_or(0) as usize;
            let Some(target) = children.iter().position(|c| c.head + 1 == gold) else { continue };
            let others: Vec<usize> = (0..children.len()).filter(|other| *other != at).collect();
            let all: Vec<Vec<u64>> =
                others.iter().map(|other| sibling_features(node, &children, at, *other, head, sentence)).collect();
            self.siblings.learn(&all, others.iter().position(|other| *other == target).unwrap_or(0));
            let (child, target, head) = (&children[at], &children[target], children[head].head);
            let right = self.names.iter().position(|name| *name == word.relation).unwrap_or(0);
            self.relations.learn(&relation_features(node, child, target, head, sentence), right);
        }
    }

    /// Heads (from 1; 0 is the root) and relations of a sentence.
    pub fn convert(&self, pair: &Pair<'_>) -> Vec<(u32, String)> {
        let mut found = vec![(0, "root".to_owned()); pair.sentence.words.len()];
        self.convert_node(&pair.root, pair.sentence, &mut found);
        found
    }

    fn convert_node(&self, node: &Node, sentence: &Sentence, found: &mut [(u32, String)]) -> usize {
        if node.is_leaf() {
            return node.words.first().copied().unwrap_or(0);
        }
        let children: Vec<Child<'_>> = (node.children.iter())
            .map(|child| Child { node: child, head: self.convert_node(child, sentence, found) })
            .collect();
        if children.len() == 1 {
            return children[0].head;
        }
        let all: Vec<Vec<u64>> = (0..children.len()).map(|i| head_features(node, &children, i, sentence)).collect();
        let head = self.heads.best(&all);
        let mut targets = vec![head; children.len()];
        for at in (0..children.len()).filter(|at| *at != head) {
            let others: Vec<usize> = (0..children.len()).filter(|other| *other != at).collect();
            let all: Vec<Vec<u64>> =
                others.iter().map(|other| sibling_features(node, &children, at, *other, head, sentence)).collect();
            targets[at] = others[self.siblings.best(&all)];
        }
        for at in (0..children.len()).filter(|at| *at != head) {
            // What would go round in a circle goes to the head.
            let mut up = targets[at];
            for _ in 0..children.len() {
                if up == at || up == head {
                    break;
                }
                up = targets[up];
            }
            if up != head {
                targets[at] = head;
            }
            let (child, target) = (&children[at], &children[targets[at]]);
            let features = relation_features(node, child, target, children[head].head, sentence);
            found[child.head] = (target.head as u32 + 1, self.names[self.relations.best(&features)].clone());
        }
        children[head].head
    }

    /// Scores of a conversion that was learnt from other sentences, each of some folds in turn.
    pub fn cross(pairs: &[Pair<'_>], folds: usize, passes: usize) -> TreeScores {
        let mut scores = TreeScores::default();
        for fold in 0..folds {
            let training: Vec<&Pair<'_>> =
                pairs.iter().enumerate().filter(|(i, _)| i % folds != fold).map(|(_, p)| p).collect();
            let converter = Converter::learn(&training, passes);
            for pair in pairs.iter().enumerate().filter(|(i, _)| i % folds == fold).map(|(_, p)| p) {
                let converted = converter.convert(pair);
                let place = |head: u32| (head > 0).then(|| head as usize - 1);
                let gold: Vec<Arc<'_>> = (pair.sentence.words.iter())
                    .map(|w| Arc { head: place(w.head.unwrap_or(0)), relation: &w.relation })
                    .collect();
                let found: Vec<Arc<'_>> =
                    converted.iter().map(|(head, relation)| Arc { head: place(*head), relation }).collect();
                scores.sentence(&gold, &found);
            }
        }
        scores
    }
}

/// Gives converted heads and relations to the sentences of documents, found by their id.
pub fn add_trees(converter: &Converter, pairs: &[Pair<'_>], documents: &mut [Document]) -> usize {
    let by_id: FxHashMap<&str, &Pair<'_>> = pairs.iter().map(|pair| (pair.sentence.id.as_str(), pair)).collect();
    let mut count = 0;
    for sentence in documents.iter_mut().flat_map(|d| &mut d.sentences) {
        let Some(pair) = by_id.get(sentence.id.as_str()) else { continue };
        if pair.sentence.words.len() != sentence.words.len() {
            continue;
        }
        count += 1;
        for (word, (head, relation)) in sentence.words.iter_mut().zip(converter.convert(pair)) {
            word.head = Some(head);
            word.relation = relation;
        }
    }
    count
}
