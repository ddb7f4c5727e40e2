//! Models with known verdicts and counts: corpus/murphi, on one thread and on several.

use engines::guarded::search::search;
use engines::guarded::{Deadlock, SearchAnswer, SearchOptions, SearchVerdict, Wrong};
use execution::span::SourceMap;
use guarded::fault::FaultKind;
use guarded::model::Model;
use std::path::{Path, PathBuf};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/murphi")
}

fn compile(text: &str) -> Model {
    let mut sources = SourceMap::new();
    let file = sources.add_file("model.m", text);
    front_murphi::compile(&sources, file).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

fn options(deadlock: Deadlock, symmetry: bool, threads: usize) -> SearchOptions {
    SearchOptions { deadlock, symmetry, threads, ..SearchOptions::default() }
}

fn answer(model: &Model, options: &SearchOptions) -> SearchAnswer {
    search(model, options, &|_| {})
}

fn word(answer: &SearchAnswer) -> &'static str {
    let SearchVerdict::Violated(violation) = &answer.verdict else {
        return match answer.verdict {
            SearchVerdict::Holds => "holds",
            _ => "?",
        };
    };
    match violation.wrong {
        Wrong::Invariant(_) => "invariant",
        Wrong::Cover(_) => "cover",
        Wrong::Deadlock => "deadlock",
        Wrong::Fault(fault) => match fault.kind {
            FaultKind::Assertion => "assertion",
            FaultKind::Error => "error",
            FaultKind::Undefined => "undefined",
            FaultKind::Range => "range",
            FaultKind::Division => "division",
            FaultKind::Full => "full",
            FaultKind::Assumption
            | FaultKind::Order
            | FaultKind::Untracked
            | FaultKind::Unchosen
            | FaultKind::Endless => "?",
        },
    }
}

struct Row {
    model: String,
    deadlock: Deadlock,
    verdict: String,
    counts: Option<[u64; 3]>,
}

fn rows() -> Vec<Row> {
    let text = std::fs::read_to_string(corpus().join("expected.csv")).unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let deadlock = match cells[1] {
            "stuttering" => Deadlock::Stuttering,
            "stuck" => Deadlock::Stuck,
            "off" => Deadlock::Off,
            other => panic!("{other}"),
        };
        let counts = (!cells[3].is_empty()).then(|| [3, 4, 5].map(|at| cells[at].parse().unwrap()));
        Row { model: cells[0].to_string(), deadlock, verdict: cells[2].to_string(), counts }
    };
    text.lines().skip(1).map(row).collect()
}

#[test]
fn verdicts_and_counts_are_as_expected() {
    let rows = rows();
    assert!(rows.len() >= 98, "only {} models were found", rows.len());
    assert!(rows.iter().filter(|row| row.counts.is_some()).count() >= 40);
    let mut differences = Vec::new();
    for row in &rows {
        let model = compile(&std::fs::read_to_string(corpus().join(&row.model)).unwrap());
        if !model.ordered.is_empty() {
            differences.push(format!("{}: ordered {:?}", row.model, model.ordered));
        }
        for (symmetry, threads) in [(false, 1), (false, 3), (true, 1), (true, 2)] {
            let found = answer(&model, &options(row.deadlock, symmetry, threads));
            let how = format!("{} symmetry {symmetry} threads {threads}", row.model);
            if word(&found) != row.verdict {
                differences.push(format!("{how}: {} for {}", word(&found), row.verdict));
            }
            if let Some([states, orbits, rules]) = row.counts {
                let expected = if symmetry { orbits } else { states };
                if found.counts.states != expected {
                    differences
                        .push(format!("{how}: {} for {expected} states", found.counts.states));
                }
                if !symmetry && found.counts.rules != rules {
                    differences.push(format!("{how}: {} for {rules} rules", found.counts.rules));
                }
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn loops_that_depend_on_order_switch_symmetry_off() {
    // The last member is preferred, so that permutations do not preserve behaviour.
    let text = "type T: scalarset(3); var last: T; on: array[T] of boolean;
        startstate begin undefine last; for t: T do on[t] := false; end; end;
        ruleset t: T do rule !on[t] ==> on[t] := true; end; end;
        rule isundefined(last) ==> for t: T do if on[t] then last := t; end; end; end;
        rule true ==> end;";
    let model = compile(text);
    let all = answer(&model, &options(Deadlock::Off, false, 1));
    let reduced = answer(&model, &options(Deadlock::Off, true, 1));
    assert!(!reduced.symmetric);
    assert_eq!(all.counts, reduced.counts);
    let early = "type T: scalarset(3); var last: T; on: array[T] of boolean;
        function f(): T; begin for t: T do if on[t] then return t; end; end; end;
        startstate begin undefine last; for t: T do on[t] := true; end; end;
        rule isundefined(last) ==> last := f(); end; rule true ==> end;";
    assert_eq!(compile(early).ordered.len(), 1);
}

/// One member decides a quantifier, and another one is a fault: which is asked first depends on the
/// order of the members.
#[test]
fn quantifiers_that_depend_on_order_switch_symmetry_off() {
    for key in ["0", "1"] {
        let text = format!(
            "type T: scalarset(3); var key: array[T] of 0..1; flag: array[T] of boolean; hit: boolean;
            function is_set(t: T): boolean; begin return flag[t]; end;
            startstate begin hit := false; for t: T do undefine flag[t]; key[t] := {key}; end; end;
            ruleset t: T do
              rule isundefined(flag[t]) ==> flag[t] := true; key[t] := 1 - {key}; end;
              rule isundefined(flag[t]) & (exists u: T do !isundefined(flag[u]) end)
                & (exists u: T do u != t & is_set(u) end) ==> hit := true; end;
            end;"
        );
        let model = compile(&text);
        let all = answer(&model, &options(Deadlock::Off, false, 1));
        let reduced = answer(&model, &options(Deadlock::Off, true, 1));
        assert!(!reduced.symmetric);
        assert_eq!(all.counts, reduced.counts);
        for found in [all, reduced] {
            assert!(matches!(found.verdict, SearchVerdict::Violated(_)), "{:?}", found.verdict);
        }
    }
}

#[test]
fn loops_and_recursion_without_end_are_inconclusive() {
    let heads = [
        "rule true ==> while x = 0 do x := 0; end; end;",
        "procedure p(); begin p(); end; rule true ==> p(); end;",
    ];
    for head in heads {
        let model = compile(&format!("var x: 0..1; startstate begin x := 0; end; {head}"));
        let found = answer(&model, &options(Deadlock::Off, false, 1));
        assert!(matches!(found.verdict, SearchVerdict::Endless(_)), "{:?}", found.verdict);
    }
}
