//! Queries from outside: exported files, cores, limits, interrupts.

mod support;

use sat::{Answer, BackendKind, Formula, Interrupter, Lit, order::Strategy};
use std::time::{Duration, Instant};
use support::{pigeons, read_dimacs, ring};

const BACKENDS: [BackendKind; 2] = [BackendKind::Cadical, BackendKind::Batsat];

/// Solves an exported query with a solver that knows nothing else.
fn solve_exported(formula: &Formula, assumptions: &[Lit]) -> Answer {
    let mut text = Vec::new();
    formula.write_dimacs(&mut text, assumptions).unwrap();
    let (variables, clauses) = read_dimacs(&String::from_utf8(text).unwrap());
    let mut copy = Formula::new(BackendKind::Batsat);
    let lits: Vec<Lit> = (0..variables).map(|_| copy.fresh()).collect();
    for clause in clauses {
        let clause: Vec<Lit> = clause
            .iter()
            .map(|&n| {
                let lit = lits[n.unsigned_abs() as usize - 1];
                if n > 0 { lit } else { !lit }
            })
            .collect();
        copy.clause(&clause);
    }
    copy.solve(&[])
}

#[test]
fn an_exported_query_has_the_same_answer() {
    for strategy in [Strategy::AllPairs, Strategy::Chordal, Strategy::Theory, Strategy::Lazy] {
        let (formula, closed) = ring(BackendKind::Cadical, 6, strategy);
        assert_eq!(solve_exported(&formula, &[closed]), Answer::Unsat, "{strategy:?}");
        assert_eq!(solve_exported(&formula, &[!closed]), Answer::Sat, "{strategy:?}");
    }
    assert_eq!(solve_exported(&pigeons(BackendKind::Cadical, 5), &[]), Answer::Unsat);
}

#[test]
fn a_core_names_assumptions_that_exclude_each_other() {
    for kind in BACKENDS {
        let mut formula = Formula::new(kind);
        let lits: Vec<Lit> = (0..4).map(|_| formula.fresh()).collect();
        formula.clause(&[!lits[0], !lits[2]]);
        assert_eq!(formula.solve(&lits), Answer::Unsat);
        assert_eq!(formula.core(), [lits[0], lits[2]]);
        assert_eq!(formula.solve(&[lits[3], Lit::FALSE]), Answer::Unsat);
        assert_eq!(formula.core(), [Lit::FALSE]);
        assert_eq!(formula.solve(&[lits[2]]), Answer::Sat);
        assert!(formula.value(!lits[0]) && formula.core().is_empty());
    }
}

#[test]
fn a_model_stays_until_the_next_query() {
    for kind in BACKENDS {
        let mut formula = Formula::new(kind);
        let (a, b) = (formula.fresh(), formula.fresh());
        formula.clause(&[a]);
        assert_eq!(formula.solve(&[b]), Answer::Sat);
        let younger = formula.fresh();
        formula.clause(&[!b]);
        assert!(formula.value(a) && formula.value(b) && formula.value(!younger));
        assert_eq!(formula.solve(&[]), Answer::Sat);
        assert!(formula.value(!b));
        formula.clause(&[]);
        assert_eq!(formula.solve(&[]), Answer::Unsat);
    }
}

#[test]
fn a_phase_is_tried_first() {
    for wanted in [true, false] {
        let mut formula = Formula::new(BackendKind::Cadical);
        let lits: Vec<Lit> = (0..20).map(|_| formula.fresh()).collect();
        for pair in lits.windows(2) {
            formula.clause(&[pair[0], !pair[1]]);
        }
        for &lit in &lits {
            formula.set_phase(if wanted { lit } else { !lit });
        }
        assert_eq!(formula.solve(&[]), Answer::Sat);
        assert!(lits.iter().all(|&lit| formula.value(lit) == wanted));
    }
}

#[test]
fn a_deadline_ends_a_query() {
    for kind in BACKENDS {
        let mut formula = pigeons(kind, 13);
        let start = Instant::now();
        formula.set_deadline(Some(start + Duration::from_millis(100)));
        assert_eq!(formula.solve(&[]), Answer::Unknown);
        assert!(start.elapsed() < Duration::from_secs(20));
        assert!(formula.stats().solver_cpu_seconds > 0.0);
        assert_eq!(formula.solve(&[]), Answer::Unknown, "a deadline that is over stays over");
    }
}

#[test]
fn a_conflict_limit_ends_a_query_and_no_other() {
    for kind in BACKENDS {
        let mut formula = pigeons(kind, 7);
        formula.set_conflict_limit(Some(10));
        assert_eq!(formula.solve(&[]), Answer::Unknown);
        let conflicts = formula.stats().conflicts;
        assert!((1..100).contains(&conflicts), "{conflicts}");
        formula.set_conflict_limit(None);
        assert_eq!(formula.solve(&[]), Answer::Unsat);
    }
}

#[test]
fn a_query_polls_its_interrupter_while_it_runs() {
    for kind in BACKENDS {
        let mut formula = pigeons(kind, 13);
        formula.set_interrupter(Interrupter::after(2_000));
        assert_eq!(formula.solve(&[]), Answer::Unknown);
        assert!(formula.stats().conflicts > 0, "it was interrupted before it ran");
    }
}

#[test]
fn an_interrupt_from_another_thread_ends_queries_until_it_is_reset() {
    for kind in BACKENDS {
        let mut formula = pigeons(kind, 13);
        let interrupter = Interrupter::default();
        formula.set_interrupter(interrupter.clone());
        let waiting = formula.interrupter();
        let thread = std::thread::spawn(move || waiting.interrupt());
        assert_eq!(formula.solve(&[]), Answer::Unknown);
        thread.join().unwrap();
        let mut easy = pigeons(kind, 3);
        easy.set_interrupter(interrupter.clone());
        assert_eq!(easy.solve(&[]), Answer::Unknown);
        interrupter.reset();
        assert_eq!(easy.solve(&[]), Answer::Unsat);
    }
}

#[test]
fn statistics_count_what_was_built_and_done() {
    for kind in BACKENDS {
        let mut formula = pigeons(kind, 6);
        let before = formula.stats();
        assert_eq!(before.variables, 31);
        assert_eq!(before.clauses, 1 + 6 + 5 * 15);
        assert_eq!(before.literals, 1 + 30 + 150);
        assert_eq!(formula.solve(&[]), Answer::Unsat);
        let after = formula.stats();
        assert!(after.conflicts > 0 && after.decisions > 0 && after.propagations > 0);
    }
}
