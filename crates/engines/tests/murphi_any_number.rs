//! Proofs for any number of members of a scalarset, and what is not proved.

use engines::guarded::any_number::{AnyNumber, prove};
use execution::span::SourceMap;
use guarded::model::{Model, ScalarId};
use limits::Limits;
use std::path::Path;

fn sized(text: &str, set: &str, size: usize) -> (Model, ScalarId) {
    let mut sources = SourceMap::new();
    let file = sources.add_file("model.m", text);
    let model = front_murphi::compile_resized(&sources, file, set, size as u32)
        .unwrap_or_else(|errors| panic!("{errors:#?}"));
    let scalars = model.types.scalars.enumerate();
    let found = scalars.into_iter().find(|(_, scalar)| scalar.name.as_deref() == Some(set));
    let id = found.expect("the scalarset is there").0;
    (model, id)
}

fn proof(text: &str, set: &str, tracked: usize) -> AnyNumber {
    let (model, id) = sized(text, set, tracked + 2);
    prove(&model, id, tracked, &Limits::default())
}

fn file(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(path)).unwrap()
}

#[test]
fn germans_protocol_holds_for_any_number_of_clients() {
    let text = file("examples/murphi/german.m");
    assert!(matches!(proof(&text, "Client", 1), AnyNumber::Alarm(_)));
    let found = proof(&text, "Client", 2);
    assert!(matches!(found, AnyNumber::Proved(_)), "{found:?}");
}

#[test]
fn sets_hold_for_any_number_of_threads() {
    for set in ["set-fine.m", "set-optimistic.m", "set-lazy.m", "set-lockfree.m"] {
        let text = file(&format!("examples/murphi/{set}")).replace("ITEMS: 2;", "ITEMS: 1;");
        let found = proof(&text, "Thread", 1);
        assert!(matches!(found, AnyNumber::Proved(_)), "{set}: {found:?}");
    }
}

/// The scalarsets that are declared in a text.
fn sets(text: &str) -> Vec<String> {
    let set = |line: &str| {
        let (name, _) = line.split_once(": scalarset(")?;
        name.split_whitespace().last().map(String::from)
    };
    text.lines().filter_map(set).collect()
}

#[test]
fn no_model_of_the_corpus_that_is_violated_is_proved() {
    let rows = file("corpus/murphi/expected.csv");
    let (mut alarms, mut proofs, mut refusals) = (0, 0, 0);
    for row in rows.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let text = file(&format!("corpus/murphi/{}", cells[0]));
        for set in sets(&text) {
            for tracked in [1, 2] {
                let mut sources = SourceMap::new();
                let id = sources.add_file(cells[0], text.as_str());
                let size = tracked as u32 + 2;
                if front_murphi::compile_resized(&sources, id, &set, size).is_err() {
                    refusals += 1;
                    continue;
                }
                match proof(&text, &set, tracked) {
                    AnyNumber::Proved(_) => {
                        proofs += 1;
                        let aside = ["holds", "deadlock", "cover"].contains(&cells[2]);
                        assert!(aside, "{} is proved for {set}", cells[0]);
                    }
                    AnyNumber::Alarm(_) => alarms += 1,
                    AnyNumber::Refused(_) => refusals += 1,
                    AnyNumber::Limit(why) => panic!("{}: {why:?}", cells[0]),
                }
            }
        }
    }
    let found = (proofs, alarms, refusals);
    assert!(proofs >= 5 && alarms >= 5 && refusals >= 5, "{found:?}");
}

/// A lock that is taken by test and set, in one step (right) or two (wrong).
fn lock(enter: &str) -> String {
    format!(
        "type T: scalarset(2); P: enum {{ Rest, Tested, In }};
        var at: array[T] of P; taken: boolean;
        startstate begin for t: T do at[t] := Rest; end; taken := false; end;
        ruleset t: T do
          {enter}
          rule at[t] = In ==> taken := false; at[t] := Rest; end;
        end;
        invariant forall t: T do forall u: T do t = u | at[t] != In | at[u] != In end end;"
    )
}

#[test]
fn an_alarm_is_not_a_violation() {
    let right = lock("rule at[t] = Rest & !taken ==> taken := true; at[t] := In; end;");
    // One member and Other cannot know that the lock is taken by one of them only.
    assert!(matches!(proof(&right, "T", 1), AnyNumber::Alarm(_)));
    assert!(matches!(proof(&right, "T", 2), AnyNumber::Proved(_)));
    let wrong = lock(
        "rule at[t] = Rest & !taken ==> at[t] := Tested; end;
         rule at[t] = Tested ==> taken := true; at[t] := In; end;",
    );
    assert!(matches!(proof(&wrong, "T", 2), AnyNumber::Alarm(_)));
    // A rule that needs a witness, or counts, is refused.
    let witness = lock("rule exists u: T do at[u] = In end ==> at[t] := In; end;");
    assert!(matches!(proof(&witness, "T", 2), AnyNumber::Refused(_)));
    let all = lock("rule true ==> for u: T do taken := !taken; end; end;");
    assert!(matches!(proof(&all, "T", 2), AnyNumber::Refused(_)));
}

#[test]
fn deadlocks_are_not_part_of_a_proof() {
    let stuck = lock("rule at[t] = Rest & !taken ==> taken := true; at[t] := Tested; end;");
    assert!(matches!(proof(&stuck, "T", 2), AnyNumber::Proved(_)));
}
