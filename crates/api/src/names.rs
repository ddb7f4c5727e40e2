//! What files about answers are called: readable, and no two alike.
//!
//! A name is `FILE.TEST.MODEL`, or `FILE.PROPERTY.MODEL`. Within a run no two files, tests or models
//! have the same part, also where a file system does not tell capital letters from small ones. A
//! test in its notation has a part that no other test has in any run: `e ( e d | d' )` is
//! `e--e+d-d~`.

use crate::hash::hash;
use std::collections::HashSet;
use std::path::{Component, Path};

/// A part with more characters than this is cut: file systems have room for 255 bytes in all.
const LONGEST: usize = 60;

/// The parts of the names of files about one C file.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// That of the file.
    pub file: String,
    /// Those of its tests, if there are any.
    pub tests: Vec<String>,
    /// Those of the models.
    pub models: Vec<String>,
}

impl Names {
    /// What files about a test, or a property, on a model are called.
    pub fn answer(&self, what: &str, model: usize) -> String {
        format!("{}.{what}.{}", self.file, self.models[model])
    }

    /// What files about everything on a model are called.
    pub fn model(&self, model: usize) -> String {
        format!("{}.{}", self.file, self.models[model])
    }
}

/// Parts for C files: their names, with the folders that they are in where these are alike.
pub fn of_files<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Vec<String> {
    let paths: Vec<&Path> = paths.into_iter().collect();
    let name = |path: &Path| {
        let others = || paths.iter().filter(|other| **other != path);
        let is_own = |depth: &usize| {
            let own = with_folders(path, *depth).to_lowercase();
            others().all(|other| with_folders(other, *depth).to_lowercase() != own)
        };
        let deepest = folders(path).len();
        with_folders(path, (0..=deepest).find(is_own).unwrap_or_default())
    };
    distinct(paths.iter().map(|path| name(path)))
}

fn folders(path: &Path) -> Vec<String> {
    let folders = path.parent().into_iter().flat_map(Path::components);
    let normal = folders.filter_map(|folder| match folder {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    });
    normal.collect()
}

/// The name of a file, without its ending, after the names of the innermost folders.
fn with_folders(path: &Path, depth: usize) -> String {
    let mut names = folders(path);
    names.drain(..names.len().saturating_sub(depth));
    names.push(path.file_stem().unwrap_or_default().to_string_lossy().into_owned());
    names.iter().map(|name| plain(name)).collect::<Vec<_>>().join("-")
}

/// Parts for tests, which have names or are in their notation.
pub fn of_tests<'t>(titles: impl IntoIterator<Item = &'t str>) -> Vec<String> {
    let name = |title: &str| match title.contains('(') {
        true => of_notation(title),
        false => plain(title),
    };
    distinct(titles.into_iter().map(name))
}

/// `e ( e d | d' )` is `e--e+d-d~`: names of operations have only letters, digits and underscores.
fn of_notation(test: &str) -> String {
    let (initial, threads) = test.split_once('(').unwrap_or(("", test));
    let sequence = |text: &str| text.split_whitespace().collect::<Vec<_>>().join("+");
    let threads = threads.trim_end().trim_end_matches(')').split('|').map(sequence);
    let threads = threads.collect::<Vec<_>>().join("-");
    let whole = match initial.trim().is_empty() {
        true => threads,
        false => format!("{}--{threads}", sequence(initial)),
    };
    short(whole.replace('\'', "~"))
}

/// Parts for models.
pub fn of_models<'m>(names: impl IntoIterator<Item = &'m str>) -> Vec<String> {
    distinct(names.into_iter().map(plain))
}

/// The same names, with numbers after those that came before.
pub fn distinct(names: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut given = HashSet::new();
    let mut give = |name: String| {
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let mut candidates = std::iter::once(name.clone()).chain(numbered);
        let free = candidates.find(|candidate| given.insert(candidate.to_lowercase()));
        free.unwrap_or(name)
    };
    names.into_iter().map(&mut give).collect()
}

/// A part with nothing in it that a file system or a shell could mind, and without dots, which stand
/// between parts.
pub fn plain(name: &str) -> String {
    let mut plain = String::new();
    for c in name.chars() {
        match c {
            c if c.is_alphanumeric() || "+-".contains(c) => plain.push(c),
            '_' => plain.push(c),
            _ if plain.ends_with('_') => {}
            _ => plain.push('_'),
        }
    }
    if plain.len() > 1 && !name.ends_with('_') && plain.ends_with('_') {
        plain.pop();
    }
    short(if plain.is_empty() { "_".to_string() } else { plain })
}

/// A long name is cut, with a hash of all of it in place of the rest.
fn short(name: String) -> String {
    if name.chars().count() <= LONGEST {
        return name;
    }
    let kept: String = name.chars().take(LONGEST - 13).collect();
    format!("{kept}-{}", &hash([name.as_str()])[..12])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_that_differ_have_names_that_differ() {
        let tests = [
            "( e | d )",
            "e ( e d | d' )",
            "wr ( snapshot | wr )",
            "( wr snapshot | wr )",
            "( wr | snapshot wr )",
            "( wr snapshot wr )",
            "( wr_snapshot | wr )",
            "( a_b c )",
            "( a b_c )",
            "( a' )",
            "( a1 )",
        ];
        let alone: Vec<String> = tests.iter().flat_map(|test| of_tests([*test])).collect();
        assert_eq!(alone[..2], ["e-d", "e--e+d-d~"]);
        assert_eq!(alone.iter().collect::<HashSet<_>>().len(), tests.len(), "{alone:?}");
        assert_eq!(alone, of_tests(tests), "no number is needed");
    }

    #[test]
    fn long_tests_have_short_names_that_differ() {
        let test = |last: &str| format!("( {} {last} )", "operation ".repeat(40));
        let (one, other) = (of_notation(&test("a")), of_notation(&test("b")));
        assert!(one.len() <= LONGEST && one.starts_with("operation+operation"), "{one}");
        assert_ne!(one, other);
    }

    #[test]
    fn names_of_tests_and_models_are_plain_and_differ() {
        assert_eq!(
            of_tests(["T0", "weird name/|", "weird name?", "t0"]),
            ["T0", "weird_name", "weird_name-2", "t0-2"]
        );
        assert_eq!(of_models(["sc", "my model", "sc"]), ["sc", "my_model", "sc-2"]);
        assert_eq!(plain("a.b"), "a_b", "dots are between parts");
        assert_eq!(plain(".."), "_");
    }

    #[test]
    fn files_of_one_name_are_told_apart_by_their_folders() {
        let files = ["d1/queue.c", "x/d2/queue.c", "d1/stack.c"].map(Path::new);
        assert_eq!(of_files(files), ["d1-queue", "d2-queue", "stack"]);
        let files = ["queue.c", "../queue.c", "queue.c"].map(Path::new);
        assert_eq!(of_files(files), ["queue", "queue-2", "queue-3"]);
    }
}
