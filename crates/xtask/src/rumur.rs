//! Rumur (Debian's package `rumur`): checkers that it writes in C and `cc` compiles, run on one core.

use crate::timing::children_seconds;
use std::process::{Command, Output};
use std::time::Instant;
use tempfile::TempDir;

/// The checker of a model.
pub struct Checker {
    folder: TempDir,
    /// The seconds that it took to write and compile.
    pub prepared: f64,
}

/// What a checker says.
pub struct Said {
    /// Whether it found nothing wrong.
    pub holds: bool,
    /// States that it visited, and rules that it fired.
    pub states: u64,
    /// Rules that it fired.
    pub rules: u64,
    /// Seconds of processor time.
    pub seconds: f64,
    /// What it found wrong, in its words.
    pub wrong: String,
}

/// How a checker is made.
#[derive(Clone, Copy)]
pub struct How {
    /// Whether states that differ by a permutation of scalarsets are visited once.
    pub symmetry: bool,
    /// What `--deadlock-detection` takes.
    pub deadlock: &'static str,
    /// The option of `cc` that says how much it optimises.
    pub optimise: &'static str,
}

/// Writes and compiles the checker of a model.
pub fn checker(text: &str, how: How) -> Result<Checker, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("model.m"), text).map_err(|error| error.to_string())?;
    let start = Instant::now();
    let mut generate = Command::new("rumur");
    generate.arg("--output").arg(at("model.c")).arg(at("model.m"));
    generate.args(["--threads", "1", "--deadlock-detection", how.deadlock]);
    generate.args(["--symmetry-reduction", if how.symmetry { "exhaustive" } else { "off" }]);
    succeeds(&mut generate, "Debian's package `rumur` is needed")?;
    let mut compile = Command::new("cc");
    compile.args(["-std=c11", how.optimise, "-march=native", "-mcx16", "-w", "-o"]);
    compile.arg(at("model")).arg(at("model.c")).args(["-lpthread", "-latomic"]);
    succeeds(&mut compile, "a C compiler is needed")?;
    Ok(Checker { folder, prepared: start.elapsed().as_secs_f64() })
}

impl Checker {
    /// Runs it for this many seconds at most.
    pub fn run(&self, limit: u64) -> Result<Said, String> {
        let before = children_seconds();
        let mut run = Command::new("timeout");
        run.arg(limit.to_string()).arg(self.folder.path().join("model"));
        let output = run.output().map_err(|error| format!("`timeout` is needed: {error}"))?;
        let seconds = children_seconds() - before;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let Some((states, rules)) = counts(&text) else {
            return Err(match output.status.code() {
                Some(124) => format!("it takes more than {limit} s"),
                _ => format!("the answer of Rumur is not understood: {text}"),
            });
        };
        let holds = text.contains("No error found.");
        let wrong = text.lines().find(|line| line.starts_with('\t') && !line.contains("size of"));
        let wrong = wrong.unwrap_or_default().trim().to_string();
        Ok(Said { holds, states, rules, seconds, wrong })
    }
}

fn succeeds(command: &mut Command, hint: &str) -> Result<(), String> {
    let output: Output = command.output().map_err(|error| format!("{hint}: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{hint}: {}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// The numbers in `3390 states, 9912 rules fired in 0s.`
fn counts(said: &str) -> Option<(u64, u64)> {
    let line = said.lines().rev().find(|line| line.contains(" states, "))?;
    let (states, rest) = line.split_once(" states, ")?;
    let (rules, _) = rest.split_once(" rules fired")?;
    Some((states.trim().parse().ok()?, rules.trim().parse().ok()?))
}
