//! Scores of trees: attachment as in the CoNLL 2018 task, subjects and heads of clauses.

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
    /// Subjects of the gold text, found, and the same (word, head and universal relation).
    pub subjects: [usize; 3],
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
        self.words[0] += gold.len();
        self.words[1] += found.len();
        let (clauses, own) = (clause_heads(gold), clause_heads(found));
        for (i, (g, f)) in gold.iter().zip(found).enumerate() {
            let head = g.head == f.head;
            let both = head && universal(g.relation) == universal(f.relation);
            self.heads += usize::from(head);
            self.relations += usize::from(both);
            let (a, b) = (is_subject(g.relation), is_subject(f.relation));
            for (count, is) in self.subjects.iter_mut().zip([a, b, a && b && both]) {
                *count += usize::from(is);
            }
            for (count, is) in self.clauses.iter_mut().zip([clauses[i], own[i], clauses[i] && own[i]]) {
                *count += usize::from(is);
            }
        }
    }

    /// LAS, UAS, F1 of subjects, F1 of the heads of clauses.
    pub fn figures(&self) -> [f64; 4] {
        let [gold, found] = self.words;
        [f1([gold, found, self.relations]), f1([gold, found, self.heads]), f1(self.subjects), f1(self.clauses)]
    }

    /// One line of the score table.
    pub fn line(&self) -> String {
        let [las, uas, subjects, clauses] = self.figures();
        format!("LAS {las:.2}  UAS {uas:.2}  subjects {subjects:.2}  heads of clauses {clauses:.2}")
    }
}
