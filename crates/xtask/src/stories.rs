//! Whether the stories of counterexamples are true: random executions that are not sequentially
//! consistent, the order in which each is shown and the pairs that are blamed.
//!
//! `cargo run --release -p xtask -- stories`
//!
//! A violated program is a random C program with an outcome that it does not have on `sc`. Its
//! executions come from the oracle. What is checked of each story is recomputed here from the
//! replayed execution, by the definitions and with none of the code that made the story:
//!
//! - A step stands after all that one of the model's orders of memory puts before it.
//! - A read sees the last store to its place above it, or a store of its own thread that takes effect
//!   only later; a read that does not is marked with the store that it does not see.
//! - Nothing stands between the steps of an atomic section.
//! - A blamed pair is in program order, and shown in the other order. With it in order there would
//!   be a cycle of what is read and written, of what the model keeps, and of other pairs of program
//!   order that are shown in order. If some pair must be out of order in every order that the
//!   model allows, then the blamed pairs must be.
//! - Where a fence is said to forbid the execution, the model forbids it with the fence.
//! - What no interleaving shows has a blamed pair, or a load that misses a store.

use crate::agree::programs::small_text;
use clap::Args;
use execution::event::{Event, EventId, EventKind, Execution};
use execution::ids::Id;
use execution::relation::{EventSet, Relation};
use execution::span::SourceMap;
use execution::verdict::Violation;
use fencepost::compile::{Language, compile_text};
use fencepost::target;
use fencepost::verify::cell::story;
use ir::prepare::{Preparation, whole};
use ir::program::Program;
use models::{Model, check_execution};
use oracle::EnumerationOptions;
use oracle::program::{Outcomes, ProgramOutcome, outcomes, witnesses};
use replay::{Replayed, replay};
use report::Style;
use report::counterexample::text::render;
use report::counterexample::{Counterexample, Fence, Source};
use report::explain::advice::Dialect;
use report::explain::story::Title;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The models that are asked about. Not all of them have one order of memory.
const MODELS: [&str; 8] = ["tso", "pso", "relaxed", "armv8", "riscv", "power", "rc11", "imm"];
/// How many executions of a program are explained at most.
const MOST: usize = 3;

/// How many programs, and which.
#[derive(Args)]
pub struct StoriesOptions {
    /// The number of violated programs
    #[arg(long, default_value_t = 200)]
    pub count: u64,
    /// The seed of the first program; the others follow it
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Seconds that the oracle may take for a program under a model
    #[arg(long, default_value_t = 1.0)]
    pub limit: f64,
    /// Steps that it may take; then the same programs are checked on every machine
    #[arg(long)]
    pub steps: Option<u64>,
}

/// What the oracle may take for a program under a model.
#[derive(Clone, Copy)]
pub struct Effort {
    limit: Duration,
    steps: Option<u64>,
}

/// What was checked.
#[derive(Clone, Default)]
pub struct StoriesReport {
    /// Programs with an outcome that `sc` does not have, on some model.
    pub violated: u64,
    /// By model, the stories that were checked.
    pub stories: BTreeMap<&'static str, u64>,
    /// The pairs that were blamed, and those of them of which a fence was said to forbid it.
    pub pairs: [u64; 2],
    /// Loads that miss a store.
    pub unseen: u64,
    /// Stories that show no order.
    pub unordered: u64,
    /// What is wrong: the program and the story.
    pub wrong: Vec<String>,
}

/// Runs the programs and prints what came of it; whether all stories are true.
pub fn run(options: &StoriesOptions) -> bool {
    let report = check(options, &mut |text| println!("{text}"));
    let all: u64 = report.stories.values().sum();
    println!(
        "{} violated programs from seed {}: {all} stories, {} blamed pairs, {} of them with a fence \
         that forbids the execution, {} loads that miss a store, {} stories show no order; {} stories are wrong",
        report.violated,
        options.seed,
        report.pairs[0],
        report.pairs[1],
        report.unseen,
        report.unordered,
        report.wrong.len()
    );
    for (model, count) in &report.stories {
        println!("  {model}: {count}");
    }
    report.wrong.is_empty()
}

/// Runs the programs; `tell` is called for what is wrong.
pub fn check(options: &StoriesOptions, tell: &mut dyn FnMut(&str)) -> StoriesReport {
    let mut report = StoriesReport::default();
    let effort = Effort { limit: Duration::from_secs_f64(options.limit), steps: options.steps };
    for seed in options.seed..options.seed + 100 * options.count {
        if report.violated == options.count {
            break;
        }
        let known = report.wrong.len();
        report.check(seed, effort);
        report.wrong[known..].iter().for_each(|text| tell(text));
    }
    report
}

/// Executions whose outcomes do not exist on `sc`.
fn violations(
    whole: &Program,
    serial: &Outcomes,
    model: &Model,
    effort: Effort,
) -> Option<Vec<Replayed>> {
    let program = target::compile(whole, model).ok()?;
    let mut left = MOST;
    let mut wanted = |outcome: &ProgramOutcome| {
        // Flags differ from model to model, and are no outcome.
        let same = |other: &ProgramOutcome| {
            other.finals == outcome.finals
                && other.observation == outcome.observation
                && other.finding == outcome.finding
        };
        let take = outcome.finding.is_none() && left > 0 && !serial.all.iter().any(same);
        left -= usize::from(take);
        take
    };
    let found = witnesses(&program, model, &enumeration(model, effort), &mut wanted).ok()?;
    found.iter().map(|(_, witness)| replay(&program, model, witness).ok()).collect()
}

fn enumeration(model: &Model, effort: Effort) -> EnumerationOptions {
    let mut options = EnumerationOptions::for_program(model);
    options.limits.deadline = Some(Instant::now() + effort.limit);
    options.max_steps = effort.steps;
    options
}

/// All outcomes on `sc`.
fn serial(whole: &Program, effort: Effort) -> Option<Outcomes> {
    let sc = Model::named("sc").expect("in the library");
    outcomes(&target::compile(whole, &sc).ok()?, &sc, &enumeration(&sc, effort)).ok()
}

impl StoriesReport {
    /// Checks the stories of the program of a seed.
    pub fn check(&mut self, seed: u64, effort: Effort) {
        let text = small_text(seed);
        let Ok(source) = compile_text("program.c", &text, Language::C) else { return };
        let whole = whole(source.program, &Preparation::default());
        let Some(serial) = serial(&whole, effort) else { return };
        let mut is_violated = false;
        for name in MODELS {
            let model = Model::named(name).expect("in the library");
            for replayed in violations(&whole, &serial, &model, effort).unwrap_or_default() {
                is_violated = true;
                let wrong = self.judge(name, &model, &replayed);
                if !wrong.is_empty() {
                    let wrong = wrong.join("\n");
                    self.wrong.push(format!("seed {seed} under {name}: {wrong}\n{text}"));
                }
            }
        }
        self.violated += u64::from(is_violated);
    }

    /// What is wrong with the story of an execution.
    fn judge(&mut self, name: &'static str, model: &Model, replayed: &Replayed) -> Vec<String> {
        *self.stories.entry(name).or_default() += 1;
        let (file, test, dialect) = (String::new(), String::new(), Dialect::C11);
        let title = Title { file, test, model: name.to_string(), dialect };
        let told = story(title, model, &Violation::Reached("this".to_string()), replayed);
        self.pairs[0] += told.reordered.len() as u64;
        let forbids = told.reordered.iter().filter(|pair| pair.fence == Fence::Forbids);
        self.pairs[1] += forbids.count() as u64;
        self.unordered += u64::from(!told.is_in_order);
        self.unseen += told.steps.iter().filter(|step| step.unseen.is_some()).count() as u64;
        let mut wrong = Judge::new(model, replayed, &told).all();
        if !wrong.is_empty() {
            wrong.push(render(&told, &SourceMap::new(), Style::Plain));
        }
        wrong
    }
}

/// What the execution says, and what the story says of it.
struct Judge<'a> {
    model: &'a Model,
    execution: &'a Execution,
    told: &'a Counterexample,
    /// The event of each step.
    events: Vec<EventId>,
    /// The orders of memory of the model, as far as they have an order in common.
    memory: Relation,
    /// Reads-from, coherence, from-reads.
    seen: Relation,
}

impl<'a> Judge<'a> {
    fn new(model: &'a Model, replayed: &'a Replayed, told: &'a Counterexample) -> Self {
        let execution = &replayed.execution;
        let (rf, co) = (named(execution, "rf"), named(execution, "co"));
        let mut seen = rf.union(&co);
        for (write, read) in rf.iter() {
            co.successors(write).for_each(|later| seen.insert(read, later));
        }
        let mut evaluator = model.prepare(execution).expect("the model was asked before");
        evaluator.set_rf(&rf);
        evaluator.set_co(&co);
        let place = |id: EventId| execution.events[id].location.clone();
        let mut memory = Relation::empty(execution.events.len());
        // Where not all orders have one in common, a read follows what it sees in any case.
        let thread = |id: EventId| execution.events[id].thread;
        let (with_rf, without): (Vec<Relation>, Vec<Relation>) =
            evaluator.orders().into_iter().partition(|order| {
                rf.iter().all(|(a, b)| thread(a) == thread(b) || order.contains(a, b))
            });
        for order in with_rf.into_iter().chain(without) {
            let one_place = order.iter().all(|(a, b)| place(a).is_some() && place(a) == place(b));
            let joined = memory.union(&order);
            if !one_place && joined.cycle().is_none() {
                memory = joined;
            }
        }
        let events = told.steps.iter().map(|step| step.id.expect("an event")).collect();
        Self { model, execution, told, events, memory, seen }
    }

    fn all(&self) -> Vec<String> {
        if !self.told.is_in_order {
            let claims = self.told.reordered.len();
            return Vec::from_iter((claims > 0).then(|| "pairs of no order".to_string()));
        }
        let mut wrong = self.order();
        wrong.extend(self.values());
        wrong.extend(self.sections());
        wrong.extend(self.pairs());
        wrong
    }

    fn label(&self, step: usize) -> String {
        format!("{} ({})", step + 1, self.execution.events[self.events[step]].label)
    }

    /// Steps that stand before what the model puts before them.
    fn order(&self) -> Vec<String> {
        let closure = self.memory.transitive_closure();
        let mut wrong = Vec::new();
        for (late, &b) in self.events.iter().enumerate() {
            for (early, &a) in self.events[..late].iter().enumerate() {
                if closure.contains(b, a) {
                    let (a, b) = (self.label(early), self.label(late));
                    wrong.push(format!("{a} is shown before {b}, which the model puts first"));
                }
            }
        }
        wrong
    }

    /// Reads that cannot see what they see where they stand.
    fn values(&self) -> Vec<String> {
        let event = |step: usize| &self.execution.events[self.events[step]];
        let rf = named(self.execution, "rf");
        let mut wrong = Vec::new();
        for (at, step) in self.told.steps.iter().enumerate() {
            if step.kind != EventKind::Read {
                continue;
            }
            let stores = |other: &usize| {
                event(*other).kind == EventKind::Write
                    && event(*other).location == event(at).location
                    && self.told.steps[*other].unseen.is_none()
            };
            let last = (0..at).rev().find(stores);
            let from = match step.from {
                Some(Source::Step(from)) => Some(from),
                _ => None,
            };
            if let Some(from) = from
                && !rf.contains(self.events[from], self.events[at])
            {
                wrong.push(format!("{} is not from {}", self.label(at), self.label(from)));
            }
            // An own store that takes effect later.
            let waits = |from: usize| from > at && event(from).thread == event(at).thread;
            let unseen = step.unseen.is_some_and(|unseen| {
                unseen < at && self.seen.contains(self.events[at], self.events[unseen])
            });
            if last != from && !from.is_some_and(waits) && !unseen {
                wrong.push(format!("{} sees {from:?} and not {last:?}", self.label(at)));
            }
        }
        wrong
    }

    /// Atomic sections that are cut.
    fn sections(&self) -> Vec<String> {
        let section = named(self.execution, "same-atomic");
        let mut wrong = Vec::new();
        for (first, &a) in self.events.iter().enumerate() {
            for (last, &b) in self.events.iter().enumerate().skip(first) {
                let own = |id: EventId| id == a || section.contains(a, id);
                let between = &self.events[first..=last];
                if section.contains(a, b) && !between.iter().all(|&id| own(id)) {
                    let (a, b) = (self.label(first), self.label(last));
                    wrong.push(format!("the section of {a} and {b} is cut"));
                }
            }
        }
        wrong
    }

    /// Pairs that are not to blame, and what is not explained.
    fn pairs(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let po = named(self.execution, "po");
        let misses = self.told.steps.iter().any(|step| step.unseen.is_some());
        let is_interleaving = po.union(&self.seen).cycle().is_none();
        if is_interleaving != (self.told.reordered.is_empty() && !misses) {
            wrong.push(format!("interleaving: {is_interleaving}, and the story says otherwise"));
        }
        let kept = self.memory.union(&self.seen);
        // Not all that is seen has an order in common with what the model keeps.
        let forced = kept.cycle().is_none().then(|| kept.transitive_closure());
        let is_forced = |first: EventId, second: EventId| {
            forced.as_ref().is_some_and(|forced| forced.contains(second, first))
        };
        let is_access = |id: EventId| self.execution.events[id].location.is_some();
        let any_forced = po.iter().any(|(a, b)| {
            is_access(a) && is_access(b) && self.events.contains(&a) && is_forced(a, b)
        });
        for pair in &self.told.reordered {
            let (first, second) = (self.events[pair.first], self.events[pair.second]);
            let name = format!("{} and {}", self.label(pair.second), self.label(pair.first));
            if !po.contains(first, second) || pair.second > pair.first {
                wrong.push(format!("{name} are no pair out of order"));
            }
            if any_forced && !is_forced(first, second) {
                wrong.push(format!("{name} may be in order, and others may not"));
            }
            let mut graph = kept.clone();
            for (early, &a) in self.events.iter().enumerate() {
                let later = self.events[early + 1..].iter();
                later.filter(|&&b| po.contains(a, b)).for_each(|&b| graph.insert(a, b));
            }
            if !graph.transitive_closure().contains(second, first) {
                wrong.push(format!("{name} close no cycle"));
            }
            if pair.fence == Fence::Forbids && !self.is_forbidden_between(first, second) {
                wrong.push(format!("a fence between {name} does not forbid it"));
            }
        }
        wrong
    }

    /// Whether the model forbids the execution with a full fence somewhere between two accesses.
    fn is_forbidden_between(&self, first: EventId, second: EventId) -> bool {
        let own = |id: &EventId| {
            let event = &self.execution.events[*id];
            event.thread == self.execution.events[first].thread && event.location.is_some()
        };
        let po = named(self.execution, "po");
        let mut between = self
            .execution
            .events
            .ids()
            .filter(own)
            .filter(|&id| (id == first || po.contains(first, id)) && po.contains(id, second));
        between.any(|after| {
            let fenced = with_fence(self.execution, after, self.model.full_fence());
            check_execution(self.model, &fenced).is_ok_and(|judged| !judged.allowed())
        })
    }
}

fn named(execution: &Execution, name: &str) -> Relation {
    let empty = || Relation::empty(execution.events.len());
    execution.relations.get(name).cloned().unwrap_or_else(empty)
}

/// The execution with a fence after one of its accesses.
fn with_fence(execution: &Execution, after: EventId, names: &[&str]) -> Execution {
    let (old, size) = (execution.events.len(), execution.events.len() + 1);
    let fence = EventId::new(old);
    let mut fenced = Execution { events: execution.events.clone(), ..Execution::default() };
    let thread = execution.events[after].thread;
    fenced.events.push(Event {
        thread,
        kind: EventKind::Fence,
        location: None,
        value: None,
        label: "F".to_string(),
        instruction: u32::MAX,
        source: None,
    });
    for (name, set) in &execution.sets {
        let mut larger = EventSet::empty(size);
        set.iter().for_each(|id| larger.insert(id));
        fenced.sets.insert(name.clone(), larger);
    }
    for name in names.iter().chain(&["F"]) {
        fenced.sets.entry((*name).into()).or_insert_with(|| EventSet::empty(size)).insert(fence);
    }
    for (name, relation) in &execution.relations {
        let mut larger = Relation::empty(size);
        relation.iter().for_each(|(a, b)| larger.insert(a, b));
        if &**name == "po" {
            for id in (0..old).map(EventId::new) {
                if id == after || relation.contains(id, after) {
                    larger.insert(id, fence);
                } else if relation.contains(after, id) {
                    larger.insert(fence, id);
                }
            }
        }
        fenced.relations.insert(name.clone(), larger);
    }
    fenced
}
