//! Differential fuzzing with csmith (Yang, Chen, Eide, Regehr, "Finding and Understanding Bugs in
//! C Compilers", PLDI 2011): random programs without undefined behaviour, whose checksum must be
//! the same under gcc and in the stepper.

use clap::Args;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The number of instructions after which Fencepost gives up on a program.
const MAX_STEPS: &str = "1000000000";

/// How many programs, which, and where to put those that differ.
#[derive(Args)]
pub struct CsmithOptions {
    /// The number of programs.
    #[arg(long, default_value_t = 100)]
    count: u64,
    /// The seed of the first program; the others follow it.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many run at the same time.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Seconds that the compiled program may run.
    #[arg(long, default_value_t = 2)]
    native_limit: u64,
    /// Seconds that Fencepost may run.
    #[arg(long, default_value_t = 60)]
    limit: u64,
    /// Where differing programs are saved.
    #[arg(long, default_value = "target/csmith")]
    out: PathBuf,
    /// The `fencepost` to run, instead of one that is built for this.
    #[arg(long)]
    fencepost: Option<PathBuf>,
    /// Further options for csmith.
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    options: String,
}

/// What became of one program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Outcome {
    /// Fencepost printed what gcc's program prints, and ended with its status.
    Agreed,
    /// The program runs too long when compiled, or in Fencepost.
    TooLong(&'static str),
    /// Fencepost does not accept it; the first error.
    Rejected(String),
    /// gcc's own programs, with and without optimisation, differ.
    Unreliable,
    /// Fencepost did something else.
    Differed(String),
}

/// Runs the comparison; says whether no program differed.
pub fn run(options: &CsmithOptions) -> bool {
    let fencepost = match options.fencepost.clone().map_or_else(build, Ok) {
        Ok(path) => path,
        Err(message) => {
            eprintln!("{message}");
            return false;
        }
    };
    if let Err(error) = fs::create_dir_all(&options.out) {
        eprintln!("cannot make `{}`: {error}", options.out.display());
        return false;
    }
    // csmith keeps a file about the platform where it runs; let it be made before they are many.
    if let Err(error) = generate(options.seed, options) {
        eprintln!("cannot run csmith: {error}");
        return false;
    }
    let next = AtomicU64::new(0);
    let tally: Mutex<BTreeMap<Outcome, Vec<u64>>> = Mutex::default();
    let started = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= options.count {
                        return;
                    }
                    let seed = options.seed + index;
                    let outcome = compare(seed, options, &fencepost);
                    if !matches!(outcome, Outcome::Agreed) {
                        println!("seed {seed}: {}", describe(&outcome));
                    }
                    if let Ok(mut tally) = tally.lock() {
                        tally.entry(outcome).or_default().push(seed);
                    }
                }
            });
        }
    });
    let tally = tally.into_inner().unwrap_or_default();
    report(&tally, options, started.elapsed());
    !tally.keys().any(|outcome| matches!(outcome, Outcome::Differed(_)))
}

fn describe(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Agreed => "agreed".into(),
        Outcome::TooLong(whose) => format!("too long {whose}"),
        Outcome::Rejected(why) => format!("rejected: {why}"),
        Outcome::Unreliable => "gcc does not agree with itself".into(),
        Outcome::Differed(how) => format!("DIFFERED: {how}"),
    }
}

fn report(tally: &BTreeMap<Outcome, Vec<u64>>, options: &CsmithOptions, took: Duration) {
    println!();
    println!("{} programs, seeds {} and on, {} s", options.count, options.seed, took.as_secs());
    for (outcome, seeds) in tally {
        println!("{:6}  {}", seeds.len(), describe(outcome));
    }
}

/// Builds the stepper with optimisation, and says where it is.
fn build() -> Result<PathBuf, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--release", "--quiet", "--package", "fencepost"])
        .status()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if !status.success() {
        return Err("Fencepost does not build".into());
    }
    let own = std::env::current_exe().map_err(|error| format!("where am I? {error}"))?;
    let target = own.parent().and_then(Path::parent).ok_or("where am I?")?;
    Ok(target.join("release").join("fencepost"))
}

/// What a command printed, and its status; `None` if it took too long.
struct Finished {
    stdout: String,
    stderr: String,
    status: Option<i32>,
}

fn run_limited(command: &mut Command, limit: Duration) -> std::io::Result<Option<Finished>> {
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (mut out, mut err) = (child.stdout.take(), child.stderr.take());
    let deadline = Instant::now() + limit;
    std::thread::scope(|scope| {
        let read = |pipe: &mut dyn Read| {
            let mut bytes = Vec::new();
            pipe.read_to_end(&mut bytes).map(|_| String::from_utf8_lossy(&bytes).into_owned())
        };
        let out = scope.spawn(move || out.as_mut().map_or(Ok(String::new()), |pipe| read(pipe)));
        let err = scope.spawn(move || err.as_mut().map_or(Ok(String::new()), |pipe| read(pipe)));
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break Some(status);
            }
            if Instant::now() > deadline {
                child.kill()?;
                child.wait()?;
                break None;
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let text = |reader: std::thread::ScopedJoinHandle<'_, std::io::Result<String>>| {
            reader.join().unwrap_or_else(|_| Ok(String::new()))
        };
        let (stdout, stderr) = (text(out)?, text(err)?);
        Ok(status.map(|status| Finished { stdout, stderr, status: status.code() }))
    })
}

fn compare(seed: u64, options: &CsmithOptions, fencepost: &Path) -> Outcome {
    match try_compare(seed, options, fencepost) {
        Ok(outcome) => outcome,
        Err(error) => Outcome::Rejected(format!("cannot run the tools: {error}")),
    }
}

fn try_compare(seed: u64, options: &CsmithOptions, fencepost: &Path) -> std::io::Result<Outcome> {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("csmith");
    let source = options.out.join(format!("{seed}.c"));
    let generated = generate(seed, options)?;
    let Some(generated) = generated else { return Ok(Outcome::TooLong("in csmith")) };
    fs::write(&source, generated.stdout)?;
    let outcome = judge(&source, &runtime, options, fencepost)?;
    if !matches!(outcome, Outcome::Differed(_) | Outcome::Rejected(_)) {
        fs::remove_file(&source)?;
    }
    Ok(outcome)
}

fn generate(seed: u64, options: &CsmithOptions) -> std::io::Result<Option<Finished>> {
    let mut csmith = Command::new("csmith");
    csmith
        .current_dir(&options.out)
        .args(["--seed", &seed.to_string(), "--no-float"])
        .args(options.options.split_whitespace());
    run_limited(&mut csmith, Duration::from_secs(60))
}

fn judge(
    source: &Path,
    runtime: &Path,
    options: &CsmithOptions,
    fencepost: &Path,
) -> std::io::Result<Outcome> {
    let mut native = Vec::new();
    for level in ["-O0", "-O1"] {
        let program = source.with_extension("out");
        let compiled = Command::new("gcc")
            .args([level, "-w", "-I"])
            .args([runtime, source])
            .arg("-o")
            .arg(&program)
            .status()?;
        if !compiled.success() {
            return Ok(Outcome::Rejected("by gcc".into()));
        }
        let limit = Duration::from_secs(options.native_limit);
        let finished = run_limited(&mut Command::new(&program), limit);
        fs::remove_file(&program)?;
        let Some(finished) = finished? else { return Ok(Outcome::TooLong("when compiled")) };
        native.push((finished.stdout, finished.status));
    }
    if native[0] != native[1] {
        return Ok(Outcome::Unreliable);
    }
    let limit = Duration::from_secs(options.limit);
    let mut command = Command::new(fencepost);
    command.args(["run", "--max-steps", MAX_STEPS, "-I"]).args([runtime, source]);
    let Some(ours) = run_limited(&mut command, limit)? else {
        return Ok(Outcome::TooLong("in Fencepost"));
    };
    if (&ours.stdout, ours.status) == (&native[0].0, native[0].1) {
        return Ok(Outcome::Agreed);
    }
    let error = ours.stderr.lines().find(|line| line.starts_with("error"));
    let first = error.unwrap_or("").to_string();
    Ok(match ours.status {
        Some(2) => Outcome::Rejected(first),
        // The bound on the number of instructions was reached.
        Some(3) => Outcome::TooLong("in Fencepost"),
        status => Outcome::Differed(format!(
            "status {status:?}, {} instead of {}; {first}",
            ours.stdout.trim(),
            native[0].0.trim()
        )),
    })
}
