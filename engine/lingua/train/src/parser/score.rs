//! Scores of trees: attachment as in the CoNLL 2018 task, subjects and heads of clauses.

use crate::conventions::Relations;

/// Counts of one evaluation. Where sentences and words were cut otherwise than in the gold text, only those that agree
/// can be right.
#[derive(Clone, Copy, Debug, Default)]
pub struct TreeScores {
    /// Words of the gold text and found.
    pub words: [usize; 2],
    /// Right heads.
    pub heads: usize,
    /// Right heads with the right universal relation.
    pub relations: usize,
    /// Subjects of the gold text, found, and the same words.
    pub subjects: [usize; 3],
    /// The same subjects with the same head.
    pub attached_subjects: usize,
    /// Heads of clauses of the gold text, found, and the same words.
    pub clauses: [usize; 3],
}

/// A word of a tree: place of its head among the words of the sentence (`None` is the root) and relation.
#[derive(Clone, Debug)]
pub struct Arc<'r> {
    /// Head.
    pub head: Option<usize>,
    /// Relation, with or without subtype.
    pub relation: &'r str,
}

/// The universal part of a relation.
pub fn universal(relation: &str) -> &str {
    relation.split(':').next().unwrap_or(relation)
}

/// Whether a relation counts as the gold one: by its universal part, or as the treebank has it.
pub fn same_relation(gold: &str, found: &str, relations: &Relations) -> bool {
    universal(gold) == universal(found) || universal(relations.of_treebank(gold)) == universal(found)
}

/// Whether a relation is that of a subject.
pub fn is_subject(relation: &str) -> bool {
    matches!(universal(relation), "nsubj" | "csubj")
}

/// Which words of a sentence are heads of clauses: the root, clausal dependents, and what is coordinated with one.
pub fn clause_heads(tree: &[Arc<'_>]) -> Vec<bool> {
    let clausal = |mut at: usize| {
        for _ in 0..tree.len() {
            match (universal(tree[at].relation), tree[at].head) {
                ("root" | "csubj" | "ccomp" | "xcomp" | "advcl" | "acl" | "parataxis", _) => return true,
                ("conj", Some(head)) => at = head,
                _ => return false,
            }
        }
        false
    };
    (0..tree.len()).map(clausal).collect()
}

fn f1([gold, found, same]: [usize; 3]) -> f64 {
    200.0 * same as f64 / (gold + found).max(1) as f64
}

impl TreeScores {
    /// Counts a sentence whose words are those of the gold text.
    pub fn sentence(&mut self, gold: &[Arc<'_>], found: &[Arc<'_>]) {
        let same: Vec<Option<usize>> = (0..gold.len()).map(Some).collect();
        self.aligned(gold, found, &same, &Relations::default());
    }

    /// Counts a text; `same` gives the place among the words found of each word of the gold text, `relations` what counts
    /// as right beside the relations of the gold text.
    pub fn aligned(&mut self, gold: &[Arc<'_>], found: &[Arc<'_>], same: &[Option<usize>], relations: &Relations) {
        self.words[0] += gold.len();
        self.words[1] += found.len();
        let (clauses, own) = (clause_heads(gold), clause_heads(found));
        let count = |is: &dyn Fn(&Arc<'_>) -> bool, of: &[Arc<'_>]| of.iter().filter(|arc| is(arc)).count();
        let subject = |arc: &Arc<'_>| is_subject(arc.relation);
        self.subjects[0] += count(&subject, gold);
        self.subjects[1] += count(&subject, found);
        self.clauses[0] += clauses.iter().filter(|is| **is).count();
        self.clauses[1] += own.iter().filter(|is| **is).count();
        for (i, g) in gold.iter().enumerate() {
            let Some(at) = same[i] else { continue };
            let f = &found[at];
            let head = match (g.head, f.head) {
                (None, None) => true,
                (Some(g), Some(f)) => same[g] == Some(f),
                _ => false,
            };
            let both = head && same_relation(g.relation, f.relation, relations);
            self.heads += usize::from(head);
            self.relations += usize::from(both);
            let subjects = is_subject(g.relation) && is_subject(f.relation);
            self.subjects[2] += usize::from(subjects);
            self.attached_subjects += usize::from(subjects && both);
            self.clauses[2] += usize::from(clauses[i] && own[at]);
        }
    }

    /// Adds the counts of another evaluation.
    pub fn add(&mut self, other: &TreeScores) {
        let pairs = self.words.iter_mut().zip(other.words);
        let threes = self.subjects.iter_mut().zip(other.subjects).chain(self.clauses.iter_mut().zip(other.clauses));
        pairs.chain(threes).for_each(|(a, b)| *a += b);
        self.heads += other.heads;
        self.relations += other.relations;
        self.attached_subjects += other.attached_subjects;
    }

    /// LAS, UAS, F1 of subjects, F1 of the heads of clauses.
    pub fn figures(&self) -> [f64; 4] {
        let [gold, found] = self.words;
        [f1([gold, found, self.relations]), f1([gold, found, self.heads]), f1(self.subjects), f1(self.clauses)]
    }

    /// One line of the score table.
    pub fn line(&self) -> String {
        let [las, uas, subjects, clauses] = self.figures();
        let [gold, found, _] = self.subjects;
        let attached = f1([gold, found, self.attached_subjects]);
        format!(
            "LAS {las:.2}  UAS {uas:.2}  subjects {subjects:.2} (with head {attached:.2})  heads of clauses {clauses:.2}"
        )
    }
}
