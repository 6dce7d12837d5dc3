//! A program without its tests of trees, for asking first: where it finds nothing, the program itself finds nothing
//! either, and no sentence need be parsed to know that.

use super::program::{Instruction, LookProgram, Phrases, Program};
use super::test::TokenTest;

impl TokenTest {
    fn asks_tree(&self) -> bool {
        self.tree.is_some()
            || self.part.as_ref().is_some_and(|part| part.asks_tree())
            || self.not.iter().any(TokenTest::asks_tree)
    }

    /// Passes whatever this test passes.
    fn loose(&self) -> TokenTest {
        TokenTest {
            tree: None,
            part: self.part.as_ref().map(|part| Box::new(part.loose())),
            not: self.not.iter().filter(|not| !not.asks_tree()).cloned().collect(),
            ..self.clone()
        }
    }
}

impl Program {
    fn asks_tree(&self) -> bool {
        self.tests.iter().any(TokenTest::asks_tree)
            || self.phrases.iter().any(|phrases| phrases.first.asks_tree())
            || self.looks.iter().any(|look| look.program.asks_tree())
    }

    /// Matches wherever this program matches, without a tree; `None` where it asks for none.
    pub(crate) fn loose(&self) -> Option<Program> {
        self.asks_tree().then(|| self.without_trees())
    }

    fn without_trees(&self) -> Program {
        let refuses = |look: &LookProgram| look.negative && look.program.asks_tree();
        let code = self.code.iter().zip(1..).map(|(instruction, next)| match instruction {
            Instruction::Look(look) if refuses(&self.looks[*look as usize]) => Instruction::Jump(next),
            other => other.clone(),
        });
        let looks = self.looks.iter().map(|look| LookProgram { program: look.program.without_trees(), ..look.clone() });
        let phrases = self.phrases.iter().map(|p| Phrases { first: p.first.loose(), ..p.clone() });
        Program {
            code: code.collect(),
            tests: self.tests.iter().map(TokenTest::loose).collect(),
            looks: looks.collect(),
            phrases: phrases.collect(),
            ..self.clone()
        }
    }
}
