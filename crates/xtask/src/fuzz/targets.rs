//! What is mutated, and which commands read it.

use super::child::{End, Limits, end};
use crate::agree::random::Random;
use crate::root;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A kind of file of which there are seeds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Whole C programs with threads.
    Program,
    /// Data types with operations, in C.
    DataType,
    /// Suites of tests.
    Suite,
    /// Litmus tests.
    Litmus,
    /// Memory models.
    Cat,
    /// Models in Murphi.
    Murphi,
    /// Programs in the load-store language.
    Fpir,
    /// Saved counterexamples.
    Saved,
}

impl Kind {
    /// Whether its files are C.
    pub fn is_c(self) -> bool {
        matches!(self, Kind::Program | Kind::DataType)
    }

    fn extension(self) -> &'static str {
        match self {
            Kind::Program | Kind::DataType => "c",
            Kind::Suite => "toml",
            Kind::Litmus => "litmus",
            Kind::Cat => "cat",
            Kind::Murphi => "m",
            Kind::Fpir => "fpir",
            Kind::Saved => "json",
        }
    }
}

/// A command with the kind of file that it reads.
pub struct Target {
    /// Its name in the figures.
    pub name: &'static str,
    /// What it reads.
    pub seeds: Kind,
    /// The arguments; `@` stands for the input, `@test` for a test of the operations in it.
    pub args: fn(&mut Random) -> Vec<String>,
    /// How often it is picked, compared with others.
    pub weight: usize,
    /// Whether a share of the inputs must be accepted.
    pub floor: bool,
    /// Whether the program's own exit status is passed on.
    pub passes_status: bool,
}

const MODELS: &[&str] = &[
    "sc", "tso", "pso", "rmo", "relaxed", "alpha", "power", "armv7", "armv8", "riscv", "rc11",
    "imm", "c11", "lkmm",
];
const ENGINES: &[&str] = &["auto", "states", "sat"];
/// The clients that data types of the examples include, with tests of their operations.
const TESTS: &[(&str, &[&str])] = &[
    ("clients/queue.h", &["( e | d )", "e ( d | d )", "( e d | d )"]),
    ("clients/set.h", &["( a | r )", "a ( c | r )", "( a r | c )"]),
    ("clients/lock.h", &["( c0 | c1 )"]),
    ("clients/stack.h", &["( u | o )", "u ( o | o )"]),
];

/// The limits that a command is given; those of its process are higher.
const LIMITS: [&str; 6] = ["--jobs", "1", "--time-limit", "1", "--memory-limit", "1000"];

fn words(text: &[&str]) -> Vec<String> {
    text.iter().map(|word| word.to_string()).collect()
}

fn run_args(random: &mut Random) -> Vec<String> {
    let seed = random.below(100).to_string();
    words(&["run", "@", "--seed", &seed, "--max-steps", "200000"])
}

fn verify_args(random: &mut Random) -> Vec<String> {
    let (model, engine) = (random.pick(MODELS), random.pick(ENGINES));
    let mut all = words(&["verify", "@", "--model", model, "--engine", engine]);
    all.extend(words(&LIMITS));
    match random.below(6) {
        0 => all.push("--coverage".to_string()),
        1 => all.push("--json".to_string()),
        _ => {}
    }
    all
}

fn check_args(random: &mut Random) -> Vec<String> {
    let model = random.pick(MODELS);
    let mut all = words(&["check", "@", "--test", "@test", "--model", model, "--no-cache"]);
    all.extend(words(&LIMITS));
    if random.one_in(6) {
        all.push("--reuse-memory".to_string());
    }
    all
}

fn spec_args(_: &mut Random) -> Vec<String> {
    let own = root().join("examples/msn/msn_fenced.c").display().to_string();
    let mut all = words(&["check", &own, "--spec", "@", "--test", "( e | d )", "--model", "sc"]);
    all.extend(words(&LIMITS));
    all.push("--no-cache".to_string());
    all
}

fn suite_args(_: &mut Random) -> Vec<String> {
    let mut all = words(&["check", "@", "--model", "sc", "--no-cache"]);
    all.extend(words(&["--jobs", "1", "--time-limit", "0.05", "--memory-limit", "1000"]));
    all
}

fn litmus_args(random: &mut Random) -> Vec<String> {
    let engine = random.pick(&["auto", "auto", "oracle", "sat"]);
    let mut all = words(&["litmus", "@", "--engine", engine, "--jobs", "1", "--time-limit", "1"]);
    if random.one_in(4) {
        all.extend(words(&["--model", random.pick::<&str>(MODELS)]));
    }
    all
}

fn cat_args(random: &mut Random) -> Vec<String> {
    let tests = ["X86/SB.litmus", "X86/IRIW.litmus", "AArch64/MP.litmus", "PPC/MP.litmus"];
    let found: Vec<&&str> =
        tests.iter().filter(|test| root().join("corpus/litmus").join(test).exists()).collect();
    let test = root().join("corpus/litmus").join(random.pick(&found)).display().to_string();
    words(&["litmus", &test, "--model", "@", "--jobs", "1", "--time-limit", "1"])
}

fn compare_args(random: &mut Random) -> Vec<String> {
    words(&["models", "--compare", "@", random.pick::<&str>(MODELS)])
}

fn murphi_args(random: &mut Random) -> Vec<String> {
    let mut all = words(&["murphi", "@", "--threads", "1", "--time-limit", "1"]);
    all.extend(words(&["--memory-limit", "1000"]));
    if random.one_in(2) {
        all.extend(words(&["--symmetry", "off"]));
    }
    all
}

fn cmp_args(random: &mut Random) -> Vec<String> {
    let set = random.pick::<&str>(&["Thread", "Client", "Proc", "Node"]);
    let mut all = words(&["murphi", "@", "--cmp", set, "--threads", "1", "--time-limit", "1"]);
    all.extend(words(&["--memory-limit", "1000"]));
    all
}

fn prove_args(random: &mut Random) -> Vec<String> {
    let mut all = words(&["prove", "@", "--model", random.pick::<&str>(&["sc", "tso", "sc,tso"])]);
    all.extend(words(&["--time-limit", "1", "--memory-limit", "1000"]));
    match random.below(8) {
        0 => all.push("--json".to_string()),
        1 => all.extend(words(&["--items", "1"])),
        2 => all.extend(words(&["--max-size", "1"])),
        3 => {
            all.extend(words(&["--spec", random.pick::<&str>(&["set", "queue", "stack", "deque"])]))
        }
        _ => {}
    }
    all
}

fn ir_args(random: &mut Random) -> Vec<String> {
    match random.one_in(2) {
        true => words(&["ir", "@", "--check"]),
        false => words(&["ir", "@"]),
    }
}

fn replay_args(_: &mut Random) -> Vec<String> {
    words(&["replay", "@"])
}

const fn target(
    name: &'static str,
    seeds: Kind,
    args: fn(&mut Random) -> Vec<String>,
    weight: usize,
) -> Target {
    Target { name, seeds, args, weight, floor: false, passes_status: false }
}

/// All commands, with everything that they read.
pub const ALL: &[Target] = &[
    Target { passes_status: true, ..target("run FILE.c", Kind::Program, run_args, 10) },
    Target { passes_status: true, ..target("run FILE.fpir", Kind::Fpir, run_args, 4) },
    target("ir FILE.c", Kind::Program, ir_args, 10),
    target("ir FILE.fpir", Kind::Fpir, ir_args, 8),
    target("ir FILE.litmus", Kind::Litmus, ir_args, 6),
    Target { floor: true, ..target("verify FILE.c", Kind::Program, verify_args, 20) },
    target("verify FILE.fpir", Kind::Fpir, verify_args, 6),
    Target { floor: true, ..target("check FILE.c", Kind::DataType, check_args, 14) },
    target("check --spec FILE.c", Kind::DataType, spec_args, 3),
    target("check FILE.toml", Kind::Suite, suite_args, 4),
    target("litmus FILE.litmus", Kind::Litmus, litmus_args, 20),
    target("litmus --model FILE.cat", Kind::Cat, cat_args, 10),
    target("models --compare FILE.cat", Kind::Cat, compare_args, 1),
    target("murphi FILE.m", Kind::Murphi, murphi_args, 8),
    target("murphi --cmp FILE.m", Kind::Murphi, cmp_args, 3),
    Target { floor: true, ..target("prove FILE.c", Kind::DataType, prove_args, 10) },
    target("replay FILE.json", Kind::Saved, replay_args, 6),
];

/// A file that is mutated.
pub struct Seed {
    /// What is in it.
    pub bytes: Vec<u8>,
    /// Its folder below the copy of the examples, if its includes need one.
    folder: Option<PathBuf>,
}

/// All files that are mutated, and a folder for inputs.
pub struct Seeds {
    by_kind: Vec<(Kind, Vec<Seed>)>,
    stage: PathBuf,
}

impl Drop for Seeds {
    fn drop(&mut self) {
        // What is left of a folder of this process harms nothing.
        let _ = fs::remove_dir_all(&self.stage);
    }
}

/// The most that a seed has: large files take long and are changed less.
const MOST_BYTES: usize = 8_000;

impl Seeds {
    /// Collects the files; counterexamples are made by the commands that save them.
    pub fn collect(limits: &Limits<'_>) -> Result<Self, String> {
        let stage = std::env::temp_dir().join(format!("fencepost-fuzz-{}", std::process::id()));
        fs::create_dir_all(&stage).map_err(|e| format!("{}: {e}", stage.display()))?;
        let mut seeds = Seeds { by_kind: Vec::new(), stage };
        let examples = root().join("examples");
        let mut types = read(&examples, &examples, "c");
        types.retain(|seed| seed.tests().is_some());
        let programs = ["corpus/verify", "corpus/findings"]
            .map(|folder| read(&root().join(folder), &root(), "c"));
        let mut programs: Vec<Seed> = programs.into_iter().flatten().collect();
        programs.iter_mut().for_each(|seed| seed.folder = None);
        let mut litmus = read(&root().join("corpus"), &root(), "litmus");
        let mut cats = read(&root().join("crates/models/library"), &root(), "cat");
        cats.extend(read(&root().join("corpus/cat"), &root(), "cat"));
        let mut murphi = read(&root().join("corpus"), &root(), "m");
        murphi.extend(read(&examples, &examples, "m"));
        let mut fpir = read(&root().join("crates"), &root(), "fpir");
        fpir.extend(seeds.lowered(limits, &programs)?);
        for list in [&mut litmus, &mut cats, &mut murphi, &mut fpir] {
            list.iter_mut().for_each(|seed| seed.folder = None);
        }
        let mut suites = read(&examples, &examples, "toml");
        suites.retain(|seed| contains(seed, "[tests]"));
        let saved = seeds.saved(limits)?;
        seeds.by_kind = vec![
            (Kind::Program, programs),
            (Kind::DataType, types),
            (Kind::Suite, suites),
            (Kind::Litmus, litmus),
            (Kind::Cat, cats),
            (Kind::Murphi, murphi),
            (Kind::Fpir, fpir),
            (Kind::Saved, saved),
        ];
        match seeds.by_kind.iter().find(|(_, list)| list.is_empty()) {
            Some((kind, _)) => Err(format!("there is no seed of the kind {kind:?}")),
            None => Ok(seeds),
        }
    }

    /// The files of a kind.
    pub fn of(&self, kind: Kind) -> &[Seed] {
        let found = self.by_kind.iter().find(|(other, _)| *other == kind);
        found.map_or(&[], |(_, list)| list)
    }

    /// Some C programs in the load-store language.
    fn lowered(&self, limits: &Limits<'_>, programs: &[Seed]) -> Result<Vec<Seed>, String> {
        let file = self.stage.join("lowered.c");
        let mut all = Vec::new();
        for seed in programs.iter().step_by(10) {
            fs::write(&file, &seed.bytes).map_err(|e| format!("{}: {e}", file.display()))?;
            let output = limits.run(&self.stage, &words(&["ir", "lowered.c"]))?;
            if output.status.success() && output.stdout.len() <= MOST_BYTES {
                all.push(Seed { bytes: output.stdout, folder: None });
            }
        }
        Ok(all)
    }

    /// Counterexamples of a data type and of two programs.
    fn saved(&self, limits: &Limits<'_>) -> Result<Vec<Seed>, String> {
        let folder = self.stage.join("saved");
        let at = |path: &str| root().join(path).display().to_string();
        let save = folder.display().to_string();
        let runs = [
            ["check", &at("examples/msn/msn_unfenced.c"), "--test", "T0", "--model", "relaxed"],
            [
                "verify",
                &at("corpus/verify/litmus/sb_relaxed.c"),
                "--engine",
                "auto",
                "--model",
                "tso",
            ],
            ["verify", &at("examples/dekker/dekker.c"), "--engine", "sat", "--model", "tso"],
        ];
        for run in runs {
            let mut args = words(&run);
            args.extend(words(&["--save", &save]));
            limits.run(&self.stage, &args)?;
        }
        Ok(read(&folder, &folder, "json").into_iter().map(|s| Seed { folder: None, ..s }).collect())
    }
}

impl Seed {
    /// Tests for a data type, by the client that it includes.
    fn tests(&self) -> Option<&'static [&'static str]> {
        let found = TESTS.iter().find(|(client, _)| contains(self, client));
        found.map(|(_, tests)| *tests)
    }

    /// The arguments with a test of the seed in place of `@test`.
    pub fn with_test(&self, random: &mut Random, args: Vec<String>) -> Vec<String> {
        let tests = self.tests().unwrap_or(&["( e | d )"]);
        let test = random.pick(tests);
        args.into_iter().map(|arg| if arg == "@test" { test.to_string() } else { arg }).collect()
    }
}

fn contains(seed: &Seed, text: &str) -> bool {
    String::from_utf8_lossy(&seed.bytes).contains(text)
}

/// The files with an extension in a folder and those in it, with their folders below `base`.
fn read(folder: &Path, base: &Path, extension: &str) -> Vec<Seed> {
    let mut all = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return all };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            all.extend(read(&path, base, extension));
        } else if path.extension().is_some_and(|other| other == extension)
            && let Ok(bytes) = fs::read(&path)
            && bytes.len() <= MOST_BYTES
        {
            let folder = path.parent().and_then(|parent| parent.strip_prefix(base).ok());
            all.push(Seed { bytes, folder: folder.map(Path::to_path_buf) });
        }
    }
    all
}

/// A folder in which a command runs on one input.
pub struct Stage<'a> {
    target: &'a Target,
    folder: PathBuf,
    file: PathBuf,
}

/// Numbers of stages: several threads have one each.
static NEXT: AtomicU64 = AtomicU64::new(0);

impl<'a> Stage<'a> {
    /// A folder for an input made of a seed; where the seed includes its neighbours, these are
    /// linked into it.
    pub fn new(seeds: &Seeds, target: &'a Target, seed: &Seed) -> Result<Self, String> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = seeds.stage.join(number.to_string());
        let below = match &seed.folder {
            Some(below) => {
                linked(&root().join("examples"), &folder, below)?;
                folder.join(below)
            }
            None => folder.clone(),
        };
        fs::create_dir_all(&below).map_err(|e| format!("{}: {e}", below.display()))?;
        let file = below.join(format!("input.{}", target.seeds.extension()));
        Ok(Self { target, folder, file })
    }

    /// Runs the command on an input.
    pub fn run(&self, limits: &Limits<'_>, args: &[String], input: &[u8]) -> Result<End, String> {
        fs::write(&self.file, input).map_err(|e| format!("{}: {e}", self.file.display()))?;
        let name = self.file.display().to_string();
        let args: Vec<String> =
            args.iter().map(|arg| if arg == "@" { name.clone() } else { arg.clone() }).collect();
        let output = limits.run(&self.folder, &args)?;
        Ok(end(&output, self.target.passes_status))
    }

    /// Keeps an input with the command that reads it.
    pub fn keep(
        &self,
        keep: &Path,
        seed: u64,
        args: &[String],
        input: &[u8],
    ) -> Result<PathBuf, String> {
        let folder = keep.join(seed.to_string());
        let name = format!("input.{}", self.target.seeds.extension());
        let command: Vec<String> = args
            .iter()
            .map(|arg| if arg == "@" { name.clone() } else { format!("'{arg}'") })
            .collect();
        let written = fs::create_dir_all(&folder)
            .and_then(|()| fs::write(folder.join(&name), input))
            .and_then(|()| {
                fs::write(folder.join("cmd"), format!("fencepost {}\n", command.join(" ")))
            });
        written.map_err(|e| format!("{}: {e}", folder.display()))?;
        Ok(folder)
    }
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        // The whole folder goes with `Seeds` at the latest.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Links the folders that files of `below` include into a folder: its own files one by one, since
/// the input stands among them, and its neighbours as a whole.
#[cfg(unix)]
fn linked(examples: &Path, folder: &Path, below: &Path) -> Result<(), String> {
    use std::os::unix::fs::symlink;
    let link_all = |from: &Path, to: &Path, but: &Path| -> std::io::Result<()> {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let name = entry?.file_name();
            if Path::new(&name) != but {
                symlink(from.join(&name), to.join(&name))?;
            }
        }
        Ok(())
    };
    let first = below.iter().next().map(Path::new).unwrap_or(Path::new(""));
    let done = link_all(examples, folder, first)
        .and_then(|()| link_all(&examples.join(below), &folder.join(below), Path::new("")));
    done.map_err(|e| format!("{}: {e}", folder.display()))
}

#[cfg(not(unix))]
fn linked(_: &Path, _: &Path, _: &Path) -> Result<(), String> {
    Err("this check needs a Unix system".to_string())
}
