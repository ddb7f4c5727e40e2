//! What the machine with views can observe in small programs, against brute force with the text of
//! the model.

pub mod sketch;

use clap::Args;
use engines::explicit::{Machine, Rules, Visited, Wanted, visit};
use engines::verification::Property;
use engines::verification::outcomes::{Asked, Observed};
use fencepost::compile::{Language, compile_text};
use fencepost::{litmus, target};
use ir::prepare::{Preparation, whole};
use ir::program::Program;
use models::Model;
use oracle::EnumerationOptions;
use sat::Limits;
use sketch::Sketch;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Which programs.
#[derive(Args)]
pub struct ViewsOptions {
    /// Of all programs with up to three threads, two places and four accesses, every so many-th
    #[arg(long, default_value_t = 997)]
    pub every: u64,
    /// The first of them
    #[arg(long, default_value_t = 0)]
    pub from: u64,
    /// How many random programs
    #[arg(long, default_value_t = 500)]
    pub count: u64,
    /// The seed of the first one
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Only this program, as in `Wx.rel F.sc | Uy.acq Rx.rlx`
    #[arg(long)]
    pub program: Option<String>,
    /// The model
    #[arg(long, default_value = "rc11")]
    pub model: String,
    /// Without reductions
    #[arg(long)]
    pub unreduced: bool,
}

/// More states than this are too many.
const MOST: usize = 200_000;
/// Steps that the oracle takes at most: about a second.
const STEPS: u64 = 200_000;

/// What came of some comparisons.
#[derive(Debug, Default)]
pub struct Count {
    /// How many programs have the same outcomes.
    pub same: usize,
    /// How many outcomes these are.
    pub outcomes: usize,
    /// Of how many the machine may show more than the model allows, and nothing less.
    pub generous: usize,
    /// How many were refused, or took too long.
    pub refused: usize,
    /// How many states there were.
    pub states: usize,
    /// These differ.
    pub differ: Vec<String>,
}

/// What is observed, by label.
pub type Seen = BTreeMap<String, i128>;

/// Compares, and prints what differs; whether nothing does.
pub fn run(options: &ViewsOptions) -> bool {
    let model = litmus::model(&options.model).unwrap_or_else(|_| panic!("no such model"));
    let mut count = Count::default();
    let rules = if options.unreduced { unreduced() } else { reduced() };
    if let Some(text) = &options.program {
        let sketch = sketch::parse(text);
        print!("{}", sketch::program(&sketch));
        add(&sketch, &model, rules, &mut count);
    } else {
        let numbers = (options.from..sketch::all()).step_by(options.every.max(1) as usize);
        for sketch in numbers.filter_map(sketch::numbered) {
            add(&sketch, &model, rules, &mut count);
        }
        for seed in options.seed..options.seed + options.count {
            let sketch = sketch::random(seed, seed % 4 == 0);
            add(&sketch, &model, rules, &mut count);
        }
    }
    count.differ.iter().for_each(|line| println!("{line}"));
    let Count { same, outcomes, generous, refused, states, differ } = count;
    println!(
        "{same} programs have the same outcomes ({outcomes}; {states} states), {generous} perhaps \
         more, {refused} refused, {} differ",
        differ.len()
    );
    differ.is_empty() && same > 0
}

/// With all reductions from the first state on.
pub fn reduced() -> Rules {
    Rules { training: 0, ..Rules::default() }
}

/// Without any.
pub fn unreduced() -> Rules {
    Rules { reduce: false, data: false, sequential: false, ..reduced() }
}

/// Compares what can be observed in a program.
pub fn add(sketch: &Sketch, model: &Arc<Model>, rules: Rules, count: &mut Count) {
    let program = compiled(sketch, model);
    let (Some(expected), Some(visited)) =
        (by_brute_force(&program, model), by_states(&program, model, rules))
    else {
        count.refused += 1;
        return;
    };
    count.states += visited.states;
    let found: BTreeSet<Seen> = visited.outcomes.keys().map(labelled).collect();
    let text = sketch::text(sketch);
    if let Some(missed) = expected.difference(&found).next() {
        count.differ.push(format!("{text}: only by brute force: {missed:?}"));
    } else if visited.generous {
        count.generous += 1;
    } else if let Some(more) = found.difference(&expected).next() {
        count.differ.push(format!("{text}: only by states: {more:?}"));
    } else {
        count.same += 1;
        count.outcomes += found.len();
    }
}

/// Whether as much can be observed with all reductions as without any; nothing if there are too
/// many states.
pub fn is_unchanged(sketch: &Sketch, model: &Arc<Model>) -> Option<bool> {
    let program = compiled(sketch, model);
    let [with, without] = [reduced(), unreduced()].map(|rules| by_states(&program, model, rules));
    let (with, without) = (with?, without?);
    let seen =
        |visited: &Visited| -> BTreeSet<Seen> { visited.outcomes.keys().map(labelled).collect() };
    // Where all is sequentially consistent, the states without reductions are not.
    let fewer = without.generous && seen(&with).is_subset(&seen(&without));
    Some(seen(&with) == seen(&without) || fewer)
}

/// The program, as it is for the model.
pub fn compiled(sketch: &Sketch, model: &Model) -> Program {
    from_text(&sketch::program(sketch), model)
}

/// What states say about all properties of a program, or why they are not visited.
pub fn said(text: &str, model: &Model, rules: Rules) -> Result<Visited, String> {
    said_to(Wanted { rules, ..Wanted::default() }, text, model)
}

/// The same where something else is wanted, too.
pub fn said_to(wanted: Wanted, text: &str, model: &Model) -> Result<Visited, String> {
    let program = from_text(text, model);
    let machine = Machine::of(model).ok_or("no machine")?;
    let properties = Property::ALL.into_iter().filter(|&property| machine.knows(property));
    let properties = properties.collect();
    let wanted = Wanted { properties, allocations: true, ..wanted };
    let visited = visit(&program, machine, &wanted, &Limits::default(), MOST);
    visited.map_err(|reason| format!("{reason:?}"))
}

fn from_text(text: &str, model: &Model) -> Program {
    let compiled = compile_text("program.c", text, Language::C);
    let compiled = compiled.unwrap_or_else(|rejected| panic!("{:?}", rejected.diagnostics));
    let program = whole(compiled.program, &Preparation::default());
    target::compile(&program, model).expect("a program for the model")
}

fn by_states(program: &Program, model: &Model, rules: Rules) -> Option<Visited> {
    let wanted = Wanted { outcomes: Asked::All, rules, ..Wanted::default() };
    let visited = visit(program, Machine::of(model)?, &wanted, &Limits::default(), MOST).ok()?;
    visited.all.then_some(visited)
}

fn by_brute_force(program: &Program, model: &Model) -> Option<BTreeSet<Seen>> {
    let mut options = EnumerationOptions::for_program(model);
    options.max_steps = Some(STEPS);
    let outcomes = oracle::program::outcomes(program, model, &options).ok()?;
    let seen = |outcome: &oracle::program::ProgramOutcome| {
        let all = outcome.observation.operations.values().flatten();
        all.filter_map(|one| Some((one.label.clone(), one.text.parse().ok()?))).collect()
    };
    Some(outcomes.all.iter().filter(|outcome| outcome.finding.is_none()).map(seen).collect())
}

fn labelled(observed: &Observed) -> Seen {
    observed.values().flatten().cloned().collect()
}
