//! `xtask order`: what each order strategy costs on synthetic event structures.

mod events;
mod shapes;

use events::{Events, Model};
use sat::order::Strategy;
use sat::{Answer, BackendKind, Formula, Lit, Stats};
use std::time::{Duration, Instant};

/// No cell may take longer on the clock.
const LIMIT: Duration = Duration::from_secs(30);

struct Instance {
    name: &'static str,
    model: Model,
    build: fn(&mut Events) -> Lit,
    /// Whether the property fails; we look for that.
    fails: bool,
}

const fn instance(
    name: &'static str,
    model: Model,
    fails: bool,
    build: fn(&mut Events) -> Lit,
) -> Instance {
    Instance { name, model, build, fails }
}

const INSTANCES: [Instance; 12] = [
    instance("queue 4 tso", Model::Tso, false, |e| shapes::queue(e, 1, 4)),
    instance("queue 6 tso", Model::Tso, false, |e| shapes::queue(e, 1, 6)),
    instance("queue 8 tso", Model::Tso, false, |e| shapes::queue(e, 1, 8)),
    instance("queue, 2 enqueuers, 2 tso", Model::Tso, false, |e| shapes::queue(e, 2, 2)),
    instance("queue, 2 enqueuers, 3 tso", Model::Tso, false, |e| shapes::queue(e, 2, 3)),
    instance("trylock 6 sc", Model::Sc, false, |e| shapes::trylock(e, 2, 6)),
    instance("trylock 8 sc", Model::Sc, false, |e| shapes::trylock(e, 2, 8)),
    instance("trylock, 3 threads, 3 sc", Model::Sc, false, |e| shapes::trylock(e, 3, 3)),
    instance("queue 12 pso", Model::Pso, true, |e| shapes::queue(e, 1, 12)),
    instance("queue 16 pso", Model::Pso, true, |e| shapes::queue(e, 1, 16)),
    instance("random 6×30 sc", Model::Sc, true, |e| shapes::random(e, 6, 30)),
    instance("random 6×50 sc", Model::Sc, true, |e| shapes::random(e, 6, 50)),
];

const COLUMNS: [(&str, BackendKind, Strategy); 6] = [
    ("all pairs", BackendKind::Cadical, Strategy::AllPairs),
    ("chordal", BackendKind::Cadical, Strategy::Chordal),
    ("theory", BackendKind::Cadical, Strategy::Theory),
    ("lazy", BackendKind::Cadical, Strategy::Lazy),
    ("BatSat chordal", BackendKind::Batsat, Strategy::Chordal),
    ("BatSat theory", BackendKind::Batsat, Strategy::Theory),
];

/// Prints a table in Markdown; false if an answer is wrong.
pub fn run(filter: Option<&str>) -> bool {
    let titles: Vec<&str> = COLUMNS.iter().map(|column| column.0).collect();
    println!("| CPU s (conflicts; thousand clauses) | | accesses | {} |", titles.join(" | "));
    println!("| --- | --- | ---: |{}", " ---: |".repeat(titles.len()));
    let mut good = true;
    for instance in INSTANCES.iter().filter(|i| filter.is_none_or(|f| i.name.contains(f))) {
        let mut cells = Vec::new();
        let mut accesses = 0;
        for (_, kind, strategy) in COLUMNS {
            let (answer, stats, events) = solve(instance, kind, strategy);
            accesses = events;
            cells.push(cell(answer, stats));
            good &= answer == Answer::Unknown || (answer == Answer::Sat) == instance.fails;
        }
        let kind = if instance.fails { "S" } else { "U" };
        println!("| {} | {kind} | {accesses} | {} |", instance.name, cells.join(" | "));
    }
    good
}

fn solve(instance: &Instance, kind: BackendKind, strategy: Strategy) -> (Answer, Stats, usize) {
    let mut formula = Formula::new(kind);
    let mut events = Events::new(&mut formula);
    let wrong = (instance.build)(&mut events);
    events.execution(instance.model, strategy);
    let accesses = events.len();
    formula.clause(&[wrong]);
    formula.set_deadline(Some(Instant::now() + LIMIT));
    (formula.solve(&[]), formula.stats(), accesses)
}

fn cell(answer: Answer, stats: Stats) -> String {
    let clauses = stats.clauses.div_ceil(1000);
    let least = if answer == Answer::Unknown { "> " } else { "" };
    format!("{least}{:.2} ({}; {clauses})", stats.solver_cpu_seconds, stats.conflicts)
}
