//! Reads what `corpus/verify` expects of its programs: comments of the form
//! `//@ MODEL…: VERDICT, …: REASON` at the top of each (see `corpus/verify/README.md`).

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The models that `all` stands for.
pub const MODELS: [&str; 8] = ["sc", "tso", "pso", "relaxed", "armv8", "power", "riscv", "rc11"];
/// The properties that can be named.
pub const PROPERTIES: [&str; 7] =
    ["assert", "memory", "race", "deadlock", "liveness", "overflow", "leak"];

/// A program and what is expected of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// Its file.
    pub path: PathBuf,
    /// Its name: the path below the corpus, without the extension.
    pub name: String,
    /// What is expected, by model.
    pub models: BTreeMap<String, Expected>,
}

/// What is expected of a program on a model.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expected {
    /// The properties that some execution violates.
    pub fails: BTreeSet<String>,
    /// The properties that are not compared.
    pub open: BTreeSet<String>,
    /// The properties of which nothing is known, because some executions end at a memory error or
    /// at another finding past which they may go on.
    pub cut: BTreeSet<String>,
    /// Why.
    pub reason: String,
}

impl Expected {
    /// Whether the property is violated; nothing if that is left open.
    pub fn fails(&self, property: &str) -> Option<bool> {
        (!self.open.contains(property)).then(|| self.fails.contains(property))
    }

    fn read(verdicts: &str, reason: &str) -> Result<Self, String> {
        let mut expected = Expected { reason: reason.trim().to_string(), ..Expected::default() };
        let mut is_cut = false;
        for verdict in verdicts.split(',') {
            let words: Vec<&str> = verdict.split_whitespace().collect();
            match words[..] {
                ["holds"] => {}
                ["rest", "cut"] => is_cut = true,
                ["open"] => expected.open.extend(PROPERTIES.map(str::to_string)),
                [property, word] if PROPERTIES.contains(&property) => match word {
                    "fails" => drop(expected.fails.insert(property.to_string())),
                    "open" => drop(expected.open.insert(property.to_string())),
                    _ => return Err(format!("`{word}` is no verdict")),
                },
                _ => return Err(format!("`{}` is no verdict", verdict.trim())),
            }
        }
        if is_cut || expected.fails.contains("memory") {
            let named = |property: &&str| {
                expected.fails.contains(*property) || expected.open.contains(*property)
            };
            let rest = PROPERTIES.iter().filter(|property| !named(property));
            expected.cut = rest.map(|property| property.to_string()).collect();
        }
        if expected.reason.is_empty() {
            return Err("there is no reason".to_string());
        }
        Ok(expected)
    }
}

/// The expectations at the top of a program.
pub fn read(text: &str) -> Result<BTreeMap<String, Expected>, String> {
    let mut models = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        let Some(line) = line.strip_prefix("//@ ") else { continue };
        let wrong = |what: &str| format!("line {}: {what}", index + 1);
        let mut parts = line.splitn(3, ':');
        let (Some(names), Some(verdicts), Some(reason)) =
            (parts.next(), parts.next(), parts.next())
        else {
            return Err(wrong("it has the form `//@ MODEL…: VERDICT, …: REASON`"));
        };
        let expected = Expected::read(verdicts, reason).map_err(|what| wrong(&what))?;
        for name in names.split_whitespace() {
            let all = MODELS.to_vec();
            let named = if name == "all" { all } else { vec![name] };
            for model in named {
                if models::Model::named(model).is_none() {
                    return Err(wrong(&format!("there is no model `{model}`")));
                }
                models.insert(model.to_string(), expected.clone());
            }
        }
    }
    if models.is_empty() {
        return Err("no line begins with `//@ `".to_string());
    }
    Ok(models)
}

/// All programs below a folder, in the order of their names.
pub fn programs(folder: &Path) -> Result<Vec<Program>, String> {
    let mut found = Vec::new();
    collect(folder, &mut found)?;
    found.sort();
    let program = |path: PathBuf| {
        let text =
            std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let models = read(&text).map_err(|what| format!("{}: {what}", path.display()))?;
        let below = path.strip_prefix(folder).unwrap_or(&path).with_extension("");
        Ok(Program { name: below.display().to_string(), path, models })
    };
    found.into_iter().map(program).collect()
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|e| e.to_string())?.path();
        if path.is_dir() {
            collect(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "c") {
            found.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_speaks_of_all_its_models_and_later_lines_replace_earlier_ones() {
        let text =
            "// x\n//@ all: holds: it is so\n//@ tso rc11: assert fails, race open: because\n";
        let models = read(text).unwrap();
        assert_eq!(models.len(), 8);
        assert_eq!(models["sc"].fails("assert"), Some(false));
        assert_eq!(models["tso"].fails("assert"), Some(true));
        assert_eq!(models["tso"].fails("memory"), Some(false));
        assert_eq!(models["rc11"].fails("race"), None);
        assert_eq!(models["rc11"].reason, "because");
        let cut = read("//@ sc: memory fails, leak open: because\n").unwrap();
        let cut = cut["sc"].cut.iter().map(String::as_str);
        assert_eq!(cut.collect::<Vec<_>>(), ["assert", "deadlock", "liveness", "overflow", "race"]);
    }

    #[test]
    fn what_is_not_understood_is_an_error_with_its_line() {
        let error = |text: &str| read(text).unwrap_err();
        assert_eq!(error("//@ sc: good: yes"), "line 1: `good` is no verdict");
        assert_eq!(error("\n//@ vax: holds: yes"), "line 2: there is no model `vax`");
        assert_eq!(error("//@ sc: holds: "), "line 1: there is no reason");
        assert_eq!(error("int x;"), "no line begins with `//@ `");
        assert!(error("//@ sc: holds").contains("has the form"));
    }
}
