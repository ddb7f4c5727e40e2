//! Random programs whose states are visited with and without shortcuts: non-interfering
//! threads explored separately or together with the others, symmetric threads distinguished or not.
//! The answers must be the same, and every execution that is shown must be confirmed.

mod program;

use clap::Args;
use engines::explicit::{Machine, Visited, Wanted, knows, visit};
use engines::verdict::Violation;
use engines::verification::Property;
use engines::verification::outcomes::Asked;
use fencepost::compile::{Language, compile_text};
use fencepost::{litmus, target};
use ir::prepare::{Preparation, whole};
use ir::program::Program;
use models::Model;
use replay::{Expected, replay_expecting};
use sat::Limits;

/// Which programs.
#[derive(Args)]
pub struct ShortcutsOptions {
    /// How many programs
    #[arg(long, default_value_t = 200)]
    pub count: u64,
    /// The seed of the first program; the others follow it
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Print the program of the first seed, and nothing else
    #[arg(long)]
    pub print: bool,
}

/// More states than this are too many.
const MOST: usize = 100_000;

/// What came of some comparisons.
#[derive(Debug, Default)]
pub struct Count {
    /// The number of equal answers.
    pub same: usize,
    /// How many of these are violations.
    pub violated: usize,
    /// For each shortcut, how often it reduced the number of states.
    pub fewer: [usize; 2],
    /// How many programs on models were refused.
    pub refused: usize,
    /// These differ.
    pub differ: Vec<String>,
}

/// Compares, and prints what differs; whether nothing does.
pub fn run(options: &ShortcutsOptions) -> bool {
    if options.print {
        print!("{}", program::program(options.seed));
        return true;
    }
    let count = compare(options.seed..options.seed + options.count);
    count.differ.iter().for_each(|line| println!("{line}"));
    let Count { same, violated, fewer: [separate, symmetric], refused, differ } = count;
    println!(
        "{same} answers are the same, of which {violated} are violations; {} differ; {refused} refused; \
         exploring threads separately reduced the states {separate} times, symmetry {symmetric} \
         times",
        differ.len()
    );
    differ.is_empty() && same > 0
}

/// Compares what is said about the programs of these seeds.
pub fn compare(seeds: std::ops::Range<u64>) -> Count {
    let mut count = Count::default();
    for seed in seeds {
        for name in ["sc", "tso"] {
            if let Err(what) = one(seed, name, &mut count) {
                count.differ.push(format!("seed {seed} on {name}: {what}"));
            }
        }
    }
    count
}

fn one(seed: u64, name: &str, count: &mut Count) -> Result<(), String> {
    let model = litmus::model(name).map_err(|_| "no such model".to_string())?;
    let machine = Machine::of(&model).ok_or("no machine")?;
    let compiled = compile_text("program.c", &program::program(seed), Language::C);
    let compiled = compiled.map_err(|rejected| format!("{:?}", rejected.diagnostics))?;
    let program = whole(compiled.program, &Preparation::default());
    let program = target::compile(&program, &model).map_err(|_| "no program for the model")?;
    let properties: Vec<Property> = Property::ALL.into_iter().filter(|&p| knows(p)).collect();
    for wanted in [
        Wanted { properties, coverage: true, ..Wanted::default() },
        Wanted { properties: vec![Property::Assert], ..Wanted::default() },
        Wanted { outcomes: Asked::All, ..Wanted::default() },
    ] {
        let visited = |together, no_symmetry| {
            let wanted = Wanted { together, no_symmetry, ..wanted.clone() };
            visit(&program, machine, &wanted, &Limits::default(), MOST)
        };
        let plain = match visited(true, true) {
            Ok(plain) if !plain.many => plain,
            _ => {
                count.refused += 1;
                continue;
            }
        };
        let ways = [(false, true), (true, false), (false, false)];
        for (number, (together, no_symmetry)) in ways.into_iter().enumerate() {
            let other =
                visited(together, no_symmetry).map_err(|why| format!("refused: {why:?}"))?;
            if other.many {
                continue;
            }
            let [left, right] = [&other, &plain].map(said);
            if left != right {
                return Err(format!("{left} and not {right} (way {number})"));
            }
            count.same += 1;
            count.violated += usize::from(!plain.violations.is_empty());
            if let Some(fewer) = count.fewer.get_mut(number) {
                *fewer += usize::from(other.states < plain.states);
            }
            replayed(&program, &model, &other)?;
        }
    }
    Ok(())
}

/// All that is said, in words.
fn said(visited: &Visited) -> String {
    let violated: Vec<&Property> = visited.violations.keys().collect();
    let reached: Vec<_> = visited.coverage.reached.keys().collect();
    let outcomes: Vec<_> = visited.outcomes.keys().collect();
    format!("{} {violated:?} {reached:?} {outcomes:?}", visited.all)
}

/// Runs every execution that was found again.
fn replayed(program: &Program, model: &Model, visited: &Visited) -> Result<(), String> {
    for (property, found) in &visited.violations {
        let class = match &found.violation {
            Violation::Finding { kind, .. } => Some(kind.class()),
            _ => None,
        };
        let expected = Expected { class, ..Expected::default() };
        let witness = found.witness.as_ref().ok_or("no witness")?;
        let replayed = replay_expecting(program, model, witness, expected);
        let replayed = replayed.map_err(|mistake| format!("{property}: {mistake}"))?;
        let kind = replayed.finding.and_then(|finding| Property::of(&finding.kind));
        // Who waits for a lock for ever may do so because its holder is in a loop.
        let loops = *property == Property::Deadlock && kind == Some(Property::Liveness);
        if !loops && kind != Some(*property) {
            return Err(format!("{property} is not there in the replay, but {kind:?}"));
        }
    }
    for witness in visited.outcomes.values() {
        let replayed = replay_expecting(program, model, witness, Expected::default());
        replayed.map_err(|mistake| format!("an outcome: {mistake}"))?;
    }
    let expected = Expected { unfinished: true, ..Expected::default() };
    for witness in &visited.coverage.witnesses {
        let replayed = replay_expecting(program, model, witness, expected.clone());
        replayed.map_err(|mistake| format!("coverage: {mistake}"))?;
    }
    Ok(())
}
