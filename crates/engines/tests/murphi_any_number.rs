//! Proofs for any number of members of a scalarset, and what is not proved.

use engines::guarded::any_number::{AnyNumber, Way, prove, prove_by};
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

/// What both ways to the fixpoint of views of one member find: that it is proved, by how many views;
/// an alarm; or a refusal.
fn both_ways(text: &str, set: &str) -> [String; 2] {
    let (model, id) = sized(text, set, 3);
    [Way::Configurations, Way::Effects].map(|way| {
        match prove_by(way, &model, (id, 1), &Limits::default()) {
            AnyNumber::Proved(effort) => format!("{} views", effort.views),
            AnyNumber::Alarm(_) => "alarm".to_string(),
            AnyNumber::Refused(refusal) => refusal.what.to_string(),
            AnyNumber::Limit(why) => panic!("{why:?}"),
        }
    })
}

/// Rules that do not read the other member are executed once for a view, and find the same views as
/// the configurations of all pairs.
#[test]
fn effects_find_the_views_that_configurations_find() {
    let rows = file("corpus/murphi/expected.csv");
    let mut texts: Vec<String> = rows
        .lines()
        .skip(1)
        .map(|row| file(&format!("corpus/murphi/{}", row.split(',').next().unwrap_or_default())))
        .collect();
    for set in ["set-fine.m", "set-optimistic.m", "set-lazy.m", "set-lockfree.m"] {
        texts.push(file(&format!("examples/murphi/{set}")).replace("ITEMS: 2;", "ITEMS: 1;"));
    }
    texts.push(lock("rule at[t] = Rest & !taken ==> taken := true; at[t] := In; end;"));
    texts.push(lock("rule forall u: T do at[u] = Rest end ==> at[t] := In; end;"));
    texts.push(lock("rule true ==> for u: T do at[u] := Rest; end; end;"));
    texts.push(lock(
        "rule at[t] = Rest ==> for u: T do if at[u] = Rest then at[u] := Tested; end; end; end;",
    ));
    let (mut proofs, mut alarms) = (0, 0);
    for text in &texts {
        for set in sets(text) {
            let mut sources = SourceMap::new();
            let id = sources.add_file("model.m", text.as_str());
            if front_murphi::compile_resized(&sources, id, &set, 3).is_err() {
                continue;
            }
            let [configurations, effects] = both_ways(text, &set);
            assert_eq!(configurations, effects, "{set} of\n{text}");
            proofs += usize::from(effects.ends_with("views"));
            alarms += usize::from(effects == "alarm");
        }
    }
    assert!(proofs >= 7 && alarms >= 10, "{proofs} {alarms}");
}

/// Random numbers that are the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }

    /// A condition, on a member `t` if the rule has one.
    fn condition(&mut self, has_member: bool) -> String {
        let n = self.below(3);
        match self.below(if has_member { 8 } else { 4 }) {
            0 => format!("g = {n}"),
            1 => self.of(&["isundefined(p)", "!isundefined(p)"]).to_string(),
            2 => format!("(forall u: T do a[u] != {n} end)"),
            3 => format!("(forall u: T do a[u] = {n} | !b[u] end)"),
            4 => format!("a[t] {} {n}", self.of(&["=", "!="])),
            5 => "b[t]".to_string(),
            6 => "(!isundefined(p) & p = t)".to_string(),
            _ => format!("(forall u: T do u = t | a[u] != {n} end)"),
        }
    }

    fn action(&mut self, has_member: bool) -> String {
        let n = self.below(3);
        match self.below(if has_member { 9 } else { 5 }) {
            0 => format!("g := {n};"),
            1 => "undefine p;".to_string(),
            2 => format!("for u: T do if b[u] then a[u] := {n}; end; end;"),
            3 => format!("for u: T do b[u] := {}; end;", self.of(&["true", "false"])),
            4 => format!("if g = {n} then g := {}; end;", self.below(3)),
            5 => format!("a[t] := {n};"),
            6 => format!("b[t] := {};", self.of(&["true", "false", "!b[t]"])),
            7 => "p := t;".to_string(),
            _ => format!("if {} then g := {n}; end;", self.of(&["b[t]", "a[t] = 1", "g != 0"])),
        }
    }

    fn model(&mut self) -> String {
        let mut text = "type T: scalarset(2);
            var a: array[T] of 0..2; b: array[T] of boolean; g: 0..2; p: T;
            startstate begin g := 0; for t: T do a[t] := 0; b[t] := false; end; end;\n"
            .to_string();
        for _ in 0..2 + self.below(4) {
            let has_member = self.below(4) != 0;
            let guard: Vec<String> =
                (0..1 + self.below(2)).map(|_| self.condition(has_member)).collect();
            let body: Vec<String> =
                (0..1 + self.below(3)).map(|_| self.action(has_member)).collect();
            let rule = format!("rule {} ==> {} end;", guard.join(" & "), body.join(" "));
            text += &match has_member {
                true => format!("ruleset t: T do {rule} end;\n"),
                false => format!("{rule}\n"),
            };
        }
        let (n, m) = (self.below(3), self.below(3));
        text + &match self.below(4) {
            0 => format!(
                "invariant forall t: T do forall u: T do t = u | a[t] != {n} | a[u] != {n} end end;"
            ),
            1 => format!("invariant forall t: T do b[t] -> a[t] != {n} end;"),
            2 => format!("invariant forall t: T do a[t] = {n} -> g != {m} end;"),
            _ => String::new(),
        }
    }
}

#[test]
fn effects_find_the_views_of_random_models() {
    let (mut proofs, mut alarms) = (0, 0);
    for seed in 0..400 {
        let text = Random(seed * 77 + 5).model();
        let [configurations, effects] = both_ways(&text, "T");
        assert_eq!(configurations, effects, "{text}");
        proofs += usize::from(effects.ends_with("views"));
        alarms += usize::from(effects == "alarm");
    }
    assert!(proofs >= 100 && alarms >= 50, "{proofs} {alarms}");
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
