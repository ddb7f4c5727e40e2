//! What the papers studied: implementations, tests, and what is to come out.

use super::cell::{Answer, Cell, Measured};
use crate::root;
use engines::test::suite::Suite;
use execution::ids::Id;
use execution::span::FileId;

/// A data type in several variants.
pub struct Implementation {
    /// What to call it, in `--only` too.
    pub name: &'static str,
    /// Its folder below `examples/`; the suite in it names the tests.
    pub folder: &'static str,
    /// The variants.
    pub variants: &'static [Variant],
}

/// A variant of a data type.
pub struct Variant {
    /// What to call it.
    pub name: &'static str,
    /// The C file in the folder.
    pub file: &'static str,
    /// What is expected under sc and under relaxed.
    pub expected: [Expected; 2],
}

/// What is expected of all tests of a variant under a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// All hold.
    Holds,
    /// At least one fails.
    SomeFail,
}

/// The models of the main table.
pub const MODELS: [&str; 2] = ["sc", "relaxed"];

use Expected::{Holds, SomeFail};

const fn variant(name: &'static str, file: &'static str, expected: [Expected; 2]) -> Variant {
    Variant { name, file, expected }
}

/// A data type whose fenced variant is right, and the other only under sc.
macro_rules! with_and_without_fences {
    ($name:literal, $folder:literal) => {
        Implementation {
            name: $name,
            folder: $folder,
            variants: &[
                variant("fenced", concat!($folder, "_fenced.c"), [Holds, Holds]),
                variant("unfenced", concat!($folder, "_unfenced.c"), [Holds, SomeFail]),
            ],
        }
    };
}

/// The five implementations of CheckFence (PLDI 2007, table 1).
pub const IMPLEMENTATIONS: [Implementation; 5] = [
    with_and_without_fences!("two-lock queue", "ms2"),
    with_and_without_fences!("non-blocking queue", "msn"),
    with_and_without_fences!("lazy list", "lazylist"),
    with_and_without_fences!("Harris set", "harris"),
    Implementation {
        name: "Snark deque",
        folder: "snark",
        variants: &[
            variant("as published", "snark_published.c", [SomeFail, SomeFail]),
            variant("first bug corrected", "snark_first_corrected.c", [SomeFail, SomeFail]),
            variant("both corrected", "snark_corrected.c", [Holds, Holds]),
            variant("unfenced", "snark_unfenced.c", [SomeFail, SomeFail]),
        ],
    },
];

impl Implementation {
    /// The tests of its suite: name, notation, and how many operations there are.
    pub fn tests(&self) -> Result<Vec<(String, String, usize)>, String> {
        let path = root().join("examples").join(self.folder).join("check.toml");
        let text =
            std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let suite = Suite::parse(&text, FileId::new(0)).map_err(|error| error.message)?;
        let tests = suite.tests.into_iter();
        Ok(tests.map(|test| (test.name, test.test.to_string(), test.test.len())).collect())
    }

    /// A cell of one of its variants.
    pub fn cell(&self, file: &str, test: &(String, String, usize), model: &str) -> Cell {
        Cell {
            file: format!("{}/{file}", self.folder),
            test: test.0.clone(),
            notation: test.1.clone(),
            model: model.to_string(),
            without_fence: None,
            commit_points: false,
        }
    }
}

/// Whether these are what is expected, as far as they have finished.
pub fn as_expected(expected: Expected, all: &[Measured]) -> bool {
    let bad = |answer: &Answer| matches!(answer, Answer::Bug(_) | Answer::Unsupported(_));
    let open = all.iter().any(|one| one.answer == Answer::OutOfTime);
    let fails = all.iter().any(|one| one.answer.is_violated());
    !all.iter().any(|one| bad(&one.answer))
        && match expected {
            Holds => !fails,
            SomeFail => fails || open,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_implementation_has_its_tests_and_files() {
        for implementation in IMPLEMENTATIONS {
            assert!(!implementation.tests().unwrap().is_empty());
            for variant in implementation.variants {
                let path = root().join("examples").join(implementation.folder).join(variant.file);
                assert!(path.is_file(), "{}", path.display());
            }
        }
    }
}
