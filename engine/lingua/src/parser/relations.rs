//! From scores of relations to the relations of a sentence: the best of each word, but one subject a clause.
//!
//! A word's relation is scored without a look at its sisters, so that a verb may get two subjects (*la carta que
//! escribió el alcalde*: *que* and *alcalde*) where it is certain that one of them is none. The words of a head then take
//! those relations that together score best with one subject among them.

/// Which relations there are, by their numbers.
#[derive(Clone, Debug)]
pub struct Relations {
    names: Vec<Box<str>>,
    /// Whether a clause has at most one of this kind.
    subject: Vec<bool>,
    root: u16,
    parataxis: u16,
}

impl Relations {
    /// Relations with these names.
    pub fn new(names: Vec<Box<str>>) -> Self {
        let number = |name: &str| names.iter().position(|r| **r == *name).unwrap_or(0) as u16;
        let (root, parataxis) = (number("root"), number("parataxis"));
        // The subject of a clause that is itself a predicate stands beside that of the predicate.
        let subject = |name: &str| {
            let (universal, subtype) = name.split_once(':').unwrap_or((name, ""));
            matches!(universal, "nsubj" | "csubj") && subtype != "outer"
        };
        let subject = names.iter().map(|name| subject(name)).collect();
        Relations { names, subject, root, parataxis }
    }

    /// Their names.
    pub fn names(&self) -> &[Box<str>] {
        &self.names
    }

    /// That of a word without a head.
    pub fn root(&self) -> u16 {
        self.root
    }

    /// That of a clause that stands beside another.
    pub fn parataxis(&self) -> u16 {
        self.parataxis
    }

    /// Which of them a clause has at most one of, by their numbers.
    pub fn subjects(&self) -> &[bool] {
        &self.subject
    }

    /// Chooses the relation of each word; `heads` counts words from 1 (0 is the root), `scores` has a row for each word
    /// with the scores of all relations. `root` is that of words at the root and of no other.
    pub fn choose(&self, heads: &[u32], scores: &[f32], chosen: &mut Vec<u16>) {
        let row = |at: usize| &scores[at * self.names.len()..(at + 1) * self.names.len()];
        chosen.clear();
        let best = |(at, head): (usize, &u32)| match head {
            0 => self.root,
            _ => self.best(row(at), |_| true),
        };
        chosen.extend(heads.iter().enumerate().map(best));
        let subject = |relation: u16| self.subject[usize::from(relation)];
        for at in 1..heads.len() {
            if !subject(chosen[at]) {
                continue;
            }
            // Of two subjects the one stays whose next best relation is further off; with more, pair by pair.
            let Some(other) = (0..at).find(|other| heads[*other] == heads[at] && subject(chosen[*other])) else {
                continue;
            };
            let next = |at: usize| self.best(row(at), |relation| !subject(relation));
            let lead = |at: usize| row(at)[usize::from(chosen[at])] - row(at)[usize::from(next(at))];
            let gives_way = if lead(at) > lead(other) { other } else { at };
            chosen[gives_way] = next(gives_way);
        }
    }

    /// The best relation of a word that has a head, of those that are `allowed`.
    fn best(&self, scores: &[f32], allowed: impl Fn(u16) -> bool) -> u16 {
        let others = (0..scores.len() as u16).filter(|r| *r != self.root && allowed(*r));
        others.reduce(|best, r| if scores[usize::from(r)] > scores[usize::from(best)] { r } else { best }).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 5] = ["nsubj", "nsubj:outer", "nsubj:pass", "obj", "root"];

    fn chosen(heads: &[u32], scores: &[[f32; 5]]) -> Vec<&'static str> {
        let relations = Relations::new(NAMES.map(Box::from).to_vec());
        let mut chosen = Vec::new();
        relations.choose(heads, &scores.concat(), &mut chosen);
        chosen.into_iter().map(|relation| NAMES[usize::from(relation)]).collect()
    }

    const VERB: [f32; 5] = [9.0, 0.0, 0.0, 0.0, 1.0];
    const SUBJECT: [f32; 5] = [3.0, 0.0, 0.0, 2.0, 9.0];
    const LIKELIER: [f32; 5] = [3.0, 0.0, 0.0, 1.0, 9.0];

    #[test]
    fn one_subject_a_clause() {
        assert_eq!(chosen(&[2, 0, 2], &[SUBJECT, VERB, LIKELIER]), ["obj", "root", "nsubj"]);
        assert_eq!(chosen(&[2, 0, 2], &[LIKELIER, VERB, SUBJECT]), ["nsubj", "root", "obj"]);
        assert_eq!(chosen(&[2, 0, 2, 2], &[SUBJECT, VERB, LIKELIER, SUBJECT]), ["obj", "root", "nsubj", "obj"]);
        let passive = [0.0, 0.0, 3.0, 1.0, 0.0];
        assert_eq!(chosen(&[3, 3, 0], &[passive, SUBJECT, VERB]), ["nsubj:pass", "obj", "root"]);
    }

    #[test]
    fn subjects_of_several_clauses_stay() {
        let object = [0.0, 0.0, 0.0, 1.0, 0.0];
        assert_eq!(chosen(&[2, 0, 4, 2], &[SUBJECT, VERB, SUBJECT, object]), ["nsubj", "root", "nsubj", "obj"]);
        let outer = [1.0, 3.0, 0.0, 2.0, 0.0];
        assert_eq!(chosen(&[3, 3, 0], &[outer, SUBJECT, VERB]), ["nsubj:outer", "nsubj", "root"]);
    }
}
