//! Proofs by data type reduction and lemmas, and what they do not prove.

use engines::guarded::cmp::{CmpAnswer, CmpTask, CmpVerdict, LemmaSource, prove};
use execution::span::SourceMap;
use guarded::instance::Instances;
use guarded::machine::Machine;
use guarded::model::{Model, PropertyKind, ScalarId};
use guarded::modular::Refusal;
use guarded::reduction::{Needs, OTHER, Reduction, needs};
use guarded::show;
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

fn proof(text: &str, set: &str, tracked: usize, source: LemmaSource) -> Result<CmpAnswer, Refusal> {
    let (model, id) = sized(text, set, tracked + 2);
    let Needs { tracked: least, witnesses } = needs(&model, id)?;
    let tracked = tracked.max(least);
    let (model, id) = sized(text, set, tracked + witnesses);
    let task = CmpTask { source, limits: &Limits::default(), progress: &|_| {} };
    Ok(prove(&model, id, (tracked, witnesses), &task))
}

fn file(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(path)).unwrap()
}

/// The lemmas of a proof, or why there is none.
fn shown(answer: &CmpAnswer) -> String {
    match &answer.verdict {
        CmpVerdict::Proved(proof) => proof.text.join("\n"),
        other => format!("{other:?}"),
    }
}

/// A proof with as few members tracked as it takes.
fn proved(text: &str, set: &str) -> Option<CmpAnswer> {
    let attempts = (1..=2).map(|tracked| proof(text, set, tracked, LemmaSource::Mined));
    attempts.filter_map(Result::ok).find(|found| matches!(found.verdict, CmpVerdict::Proved(_)))
}

fn set(name: &str) -> String {
    file(&format!("examples/murphi/{name}.m")).replace("ITEMS: 2;", "ITEMS: 1;")
}

#[test]
fn germans_protocol_is_proved_by_mined_lemmas() {
    let text = file("examples/murphi/german.m");
    let without = proof(&text, "Client", 2, LemmaSource::None).unwrap();
    assert!(matches!(without.verdict, CmpVerdict::Suspicion(_)), "{}", shown(&without));
    let found = proof(&text, "Client", 2, LemmaSource::Mined).unwrap();
    let CmpVerdict::Proved(proof) = &found.verdict else { panic!("{}", shown(&found)) };
    assert!(found.effort.kept >= proof.needed.len() && proof.needed.len() >= 5);
    let about_two = |text: &&String| text.contains("i = j");
    assert!(proof.text.iter().any(|text| about_two(&text)), "{}", shown(&found));
}

#[test]
fn sets_are_proved_by_mined_lemmas() {
    for name in ["set-fine", "set-optimistic", "set-lazy", "set-lockfree"] {
        let found = proof(&set(name), "Thread", 1, LemmaSource::Mined).unwrap();
        assert!(matches!(found.verdict, CmpVerdict::Proved(_)), "{name}: {}", shown(&found));
    }
}

/// A lock that is acquired in one step.
fn lock(more: &str) -> String {
    format!(
        "type T: scalarset(2); P: enum {{ Rest, Tested, In }};
        var at: array[T] of P; taken: boolean; owner: T; count: 0..9;
        startstate begin for t: T do at[t] := Rest; end; taken := false; count := 0; end;
        ruleset t: T do
          rule at[t] = Rest & !taken ==> taken := true; owner := t; at[t] := In; end;
          rule at[t] = In ==> taken := false; undefine owner; at[t] := Rest; end;
        end;
        {more}
        invariant \"one\" forall t: T do forall u: T do t = u | at[t] != In | at[u] != In end end;"
    )
}

#[test]
fn what_depends_on_all_members_is_refused() {
    let refused = |more: &str| {
        let found = proof(&lock(more), "T", 2, LemmaSource::Mined);
        found.err().unwrap_or_else(|| panic!("{more} is not refused")).what
    };
    let counts =
        "rule count < 9 ==> for t: T do if at[t] = In then count := count + 1; end; end; end;";
    assert_eq!(refused(counts), "a loop over members changes more than what belongs to each");
    let nested = "rule true ==> if forall t: T do exists u: T do t != u & at[u] = In end end then
        count := 1; end; end;";
    assert!(refused(nested).contains("nested"));
    let one_for_all = "invariant exists t: T do forall u: T do t = u | at[u] != In end end;";
    assert_eq!(refused(one_for_all), "an invariant says something of all members for one");
    // What one member decides is not refused.
    let witness =
        "ruleset t: T do rule exists u: T do u != t & at[u] = In end ==> count := 1; end; end;";
    assert!(proved(&lock(witness), "T").is_some());
    let two = "ruleset t: T; u: T do rule at[t] = In & at[u] = Rest ==> owner := t; end; end;";
    assert!(proved(&lock(two), "T").is_some());
}

/// Members whose flags are undefined or set; who sees one set asks all others.
const FLAGS: &str = "type T: scalarset(2); var flag: array[T] of boolean; hit: boolean;
    startstate begin hit := false; for t: T do undefine flag[t]; end; end;
    ruleset t: T do
      rule \"set\" isundefined(flag[t]) ==> flag[t] := true; end;
      rule \"see\" isundefined(flag[t]) & (exists u: T do !isundefined(flag[u]) end)
        & (exists u: T do u != t & flag[u] end) ==> hit := true; end;
    end;
    invariant \"hit\" hit | !hit;";

/// Of three members, one is undefined and asked before the one that decides, or after it: that is
/// seen. What is asked of all members for each of them is not.
#[test]
fn undefined_values_in_parts_that_need_a_witness_for_each_member_are_not_seen() {
    assert!(concrete(FLAGS, "T", 2).is_ok());
    assert!(concrete(FLAGS, "T", 3).is_err(), "an undefined value is read, in one order");
    let found = proof(FLAGS, "T", 2, LemmaSource::Mined).unwrap();
    assert!(matches!(found.verdict, CmpVerdict::Suspicion(_)), "{}", shown(&found));
    let each = "type T: scalarset(2); var flag: array[T] of boolean; hit: boolean;
        startstate begin hit := false; for t: T do undefine flag[t]; end; end;
        rule forall u: T do exists v: T do u != v & flag[v] end end ==> hit := true; end;
        invariant \"hit\" hit | !hit;";
    assert!(concrete(each, "T", 2).is_err());
    let found = proof(each, "T", 2, LemmaSource::Mined).unwrap();
    assert!(matches!(found.verdict, CmpVerdict::Proved(_)), "{}", shown(&found));
}

#[test]
fn small_numbers_are_not_part_of_a_proof() {
    let alone = "ruleset t: T do rule forall u: T do u = t end ==> error \"alone\"; end; end;";
    let found = proof(&lock(alone), "T", 2, LemmaSource::Mined).unwrap();
    assert!(matches!(found.verdict, CmpVerdict::Proved(_)), "{}", shown(&found));
    let one = concrete(&lock(alone), "T", 1);
    assert!(one.is_err(), "one member is alone");
}

#[test]
fn what_lemmas_cannot_exclude_is_no_violation() {
    let text = file("corpus/murphi/sleeping-barber.m");
    let found = proof(&text, "Customer", 2, LemmaSource::Mined).unwrap();
    // How many customers wait depends on all of them.
    let CmpVerdict::Suspicion(suspicion) = &found.verdict else { panic!("{}", shown(&found)) };
    assert!(suspicion.steps.len() > 1 && suspicion.rule.is_some());
    assert!(concrete(&text, "Customer", 4).is_ok());
}

#[test]
fn lemmas_that_do_not_hold_prove_nothing() {
    let with = |lemma: &str, tracked: usize| {
        let mut sources = SourceMap::new();
        let model = sources.add_file("model.m", lock(""));
        let lemmas = sources.add_file("lemmas.m", lemma);
        let compile = |size: usize| {
            let size = ("T", size as u32);
            front_murphi::compile_with_lemmas(&sources, model, Some(lemmas), size).unwrap()
        };
        let small = compile(2);
        let find = |model: &Model| {
            let mut all = model.types.scalars.enumerate();
            all.find(|(_, one)| one.name.as_deref() == Some("T")).unwrap().0
        };
        let Needs { witnesses, .. } = needs(&small, find(&small)).unwrap();
        let model = compile(tracked + witnesses);
        let written = model
            .properties
            .enumerate()
            .filter(|(_, one)| one.span.file == lemmas)
            .map(|(id, _)| id);
        let source = LemmaSource::Written(written.collect());
        let task = CmpTask { source, limits: &Limits::default(), progress: &|_| {} };
        prove(&model, find(&model), (tracked, witnesses), &task)
    };
    let right =
        "invariant forall t: T do at[t] = In -> taken & !isundefined(owner) & owner = t end;";
    assert!(matches!(with(right, 2).verdict, CmpVerdict::Proved(_)));
    // It would exclude every step of Other into the lock; tracked members refute it.
    for wrong in [
        "invariant forall t: T do at[t] != In end;",
        "invariant forall t: T do at[t] = In & taken end;",
        "invariant forall t: T do at[t] = Rest | isundefined(owner) end;",
    ] {
        let found = with(wrong, 2);
        assert!(matches!(found.verdict, CmpVerdict::Suspicion(_)), "{wrong}: {}", shown(&found));
    }
}

/// The states of a number of members, or what is wrong with one; by code that the proofs do not use.
fn concrete(text: &str, set: &str, members: usize) -> Result<(Model, Vec<Vec<u32>>), String> {
    let (model, _) = sized(text, set, members);
    let instances = Instances::plain(&model).map_err(|_| "too many")?;
    let mut machine = Machine::new(&model);
    let mut states: Vec<Vec<u32>> = Vec::new();
    let mut known = std::collections::HashSet::new();
    for start in &instances.starts {
        machine.state_mut().fill(0);
        start.execute(&mut machine).map_err(|fault| format!("{fault:?}"))?;
        if known.insert(machine.state().to_vec()) {
            states.push(machine.state().to_vec());
        }
    }
    let mut next = 0;
    while next < states.len() && next < MOST_STATES {
        let state = states[next].clone();
        next += 1;
        for claim in &instances.claims {
            machine.state_mut().copy_from_slice(&state);
            let is_invariant = model.properties[claim.property].kind == PropertyKind::Invariant;
            match claim.is_true(&mut machine) {
                Ok(true) => {}
                Ok(false) if !is_invariant => {}
                found => return Err(format!("{found:?}")),
            }
        }
        for rule in &instances.rules {
            machine.state_mut().copy_from_slice(&state);
            if !rule.is_enabled(&mut machine).map_err(|fault| format!("{fault:?}"))? {
                continue;
            }
            rule.execute(&mut machine).map_err(|fault| format!("{fault:?}"))?;
            if known.insert(machine.state().to_vec()) {
                states.push(machine.state().to_vec());
            }
        }
    }
    Ok((model, states))
}

/// The most states of each number of members that are compared.
const MOST_STATES: usize = 3_000;

/// Checks that each reachable state of 2 to 4 members is an abstract state for each choice of
/// tracked members, and that nothing is wrong with one; how many states were compared.
fn everything_is_abstracted(text: &str, set: &str, answer: &CmpAnswer) -> usize {
    let CmpVerdict::Proved(proof) = &answer.verdict else { panic!("{}", shown(answer)) };
    let tracked = answer.effort.tracked;
    let (reduced, id) = sized(text, set, tracked + answer.effort.witnesses);
    let reduction = Reduction::new(&reduced, id, tracked, answer.effort.witnesses).unwrap();
    let abstract_cells: Vec<String> =
        show::cells(&reduced).into_iter().map(|cell| cell.name).collect();
    let shown_cells = show::cells(&reduced);
    let mut compared = 0;
    for members in tracked.max(2)..=4 {
        let (model, states) = concrete(text, set, members)
            .unwrap_or_else(|wrong| panic!("proved, but wrong with {members}: {wrong}\n{text}"));
        let cells = show::cells(&model);
        for choice in choices(members, tracked) {
            // The names that cells and values have from the point of view of the choice.
            let renamed = |name: &str| {
                let mut name = name.to_string();
                for member in 1..=members {
                    name = name.replace(&format!("{set}_{member}"), &format!("<{member}>"));
                }
                for member in 1..=members {
                    let to = match choice.iter().position(|one| *one == member) {
                        Some(position) => format!("{set}_{}", position + 1),
                        None => "another".to_string(),
                    };
                    name = name.replace(&format!("<{member}>"), &to);
                }
                name
            };
            let places: Vec<usize> = reduction
                .kept
                .iter()
                .map(|cell| {
                    let is = |name: &str| renamed(name) == abstract_cells[*cell];
                    cells.iter().position(|cell| is(&cell.name)).expect("the cell exists")
                })
                .collect();
            let mut codes = std::collections::HashMap::new();
            for state in states.iter().take(MOST_STATES) {
                let seen: Vec<u16> = places
                    .iter()
                    .zip(&reduction.kept)
                    .map(|(from, cell)| {
                        *codes.entry((*from, state[*from])).or_insert_with(|| {
                            let value = renamed(&cells[*from].value(&model, state[*from]));
                            let largest = reduction.layout.cells[*cell].largest;
                            let is = |code: &u16| {
                                shown_cells[*cell].value(&reduced, u32::from(*code)) == value
                            };
                            match value.as_str() {
                                "another" => OTHER,
                                _ => (0..=largest).find(is).expect("the value exists"),
                            }
                        })
                    })
                    .collect();
                assert!(proof.explored.contains(&seen), "{text}\n{choice:?} of {state:?} is lost");
                compared += 1;
            }
        }
    }
    compared
}

/// Ordered choices of `count` of `members`, from 1.
fn choices(members: usize, count: usize) -> Vec<Vec<usize>> {
    match count {
        0 => vec![Vec::new()],
        _ => choices(members, count - 1)
            .into_iter()
            .flat_map(|choice| {
                let free = (1..=members).filter(|member| !choice.contains(member));
                free.map(|m| [choice.as_slice(), &[m]].concat()).collect::<Vec<_>>()
            })
            .collect(),
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
fn reachable_states_of_models_are_abstract_states() {
    let mut models: Vec<(String, String)> = Vec::new();
    for row in file("corpus/murphi/expected.csv").lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        models.push((file(&format!("corpus/murphi/{}", cells[0])), cells[0].to_string()));
    }
    for name in ["set-fine", "set-optimistic", "set-lazy", "set-lockfree"] {
        models.push((set(name), name.to_string()));
    }
    let (mut proofs, mut compared) = (0, 0);
    for (text, name) in &models {
        for set in sets(text) {
            let mut sources = SourceMap::new();
            let id = sources.add_file(name.as_str(), text.as_str());
            if front_murphi::compile_resized(&sources, id, &set, 2).is_err() {
                continue;
            }
            for tracked in [1, 2] {
                if name.starts_with("set-") && tracked == 2 {
                    continue;
                }
                if let Ok(found) = proof(text, &set, tracked, LemmaSource::Mined)
                    && matches!(found.verdict, CmpVerdict::Proved(_))
                {
                    proofs += 1;
                    compared += everything_is_abstracted(text, &set, &found);
                }
            }
        }
    }
    assert!(proofs >= 8 && compared > 50_000, "{proofs} {compared}");
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

    fn atom(&mut self) -> String {
        let n = self.below(3);
        match self.below(9) {
            0 => format!("a[t] = {n}"),
            1 => format!("a[t] != {n}"),
            2 => "b[t]".to_string(),
            3 => format!("g = {n}"),
            4 => "(!isundefined(p) & p = t)".to_string(),
            5 => format!("(!isundefined(p) & a[p] = {n})"),
            6 => format!("(exists u: T do u != t & a[u] = {n} end)"),
            7 => format!("(forall u: T do u = t | a[u] != {n} end)"),
            _ => "(!isundefined(q[t]) & b[q[t]])".to_string(),
        }
    }

    fn action(&mut self) -> String {
        let n = self.below(3);
        match self.below(10) {
            0 | 1 => format!("a[t] := {n};"),
            2 => format!("g := {n};"),
            3 => format!("b[t] := {};", self.of(&["true", "false", "!b[t]"])),
            4 => "p := t;".to_string(),
            5 => "undefine p;".to_string(),
            6 => "if !isundefined(p) then q[t] := p; end;".to_string(),
            7 => format!("for u: T do if b[u] then a[u] := {n}; end; end;"),
            8 => format!("if !isundefined(q[t]) then a[q[t]] := {n}; end;"),
            _ => format!("if {} then g := {n}; end;", self.atom()),
        }
    }

    fn model(&mut self) -> String {
        let mut text = "type T: scalarset(2);
            var a: array[T] of 0..2; b: array[T] of boolean; q: array[T] of T; g: 0..2; p: T;
            startstate begin g := 0; for t: T do a[t] := 0; b[t] := false; end; end;\n"
            .to_string();
        for _ in 0..2 + self.below(3) {
            let guard: Vec<String> = (0..1 + self.below(2)).map(|_| self.atom()).collect();
            let body: Vec<String> = (0..1 + self.below(3)).map(|_| self.action()).collect();
            let rule = format!("rule {} ==> {} end;", guard.join(" & "), body.join(" "));
            text += &format!("ruleset t: T do {rule} end;\n");
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
fn reachable_states_of_random_models_are_abstract_states() {
    let (mut proofs, mut compared, mut lemmas) = (0, 0, 0);
    for seed in 0..120 {
        let text = Random(seed * 77 + 5).model();
        for tracked in [1, 2] {
            if let Ok(found) = proof(&text, "T", tracked, LemmaSource::Mined)
                && let CmpVerdict::Proved(proof) = &found.verdict
            {
                proofs += 1;
                lemmas += proof.needed.len();
                compared += everything_is_abstracted(&text, "T", &found);
            }
        }
    }
    println!("{proofs} {compared} {lemmas}");
    assert!(proofs >= 40 && compared > 5_000 && lemmas > 20, "{proofs} {compared} {lemmas}");
}

/// Models with seeded faults, each of which two members show: the file, for how many items, what is
/// replaced, and by what.
const MUTANTS: &[(&str, u32, &str, &str)] = &[
    ("german", 0, "ack[c] := NoAck;\n    sharer[c] := false;", "sharer[c] := false;"),
    ("german", 0, "    & (forall o: Client do !sharer[o] end)\n", ""),
    (
        "german",
        0,
        "serving = WantShared & requester = c & !exclusive",
        "serving = WantShared & requester = c",
    ),
    ("german", 0, "      memory := ackData[c];\n", ""),
    ("german", 0, "    exclusive := true;\n    serving := NoRequest;", "    serving := NoRequest;"),
    ("german", 0, "    state[c] := Invalid;\n    undefine copy[c];", "    undefine copy[c];"),
    ("german", 0, "    sharer[c] := true;\n    serving := NoRequest;", "    serving := NoRequest;"),
    ("set-fine", 1, "pc[t] = Start & isundefined(lock[Head])", "pc[t] = Start"),
    ("set-lazy", 1, "marked[pred[t]] | marked[curr[t]] | next[pred[t]] != curr[t]", "false"),
    ("set-lazy", 1, "marked[curr[t]] | next[pred[t]] != curr[t]", "marked[curr[t]]"),
    ("set-lazy", 1, "key[curr[t]] = arg[t] & !marked[curr[t]]);", "key[curr[t]] = arg[t]);"),
    (
        "set-lockfree",
        1,
        "next[curr[t]] = succ[t] & !marked[curr[t]]\n",
        "next[curr[t]] = succ[t]\n",
    ),
    (
        "set-lockfree",
        1,
        "pc[t] = Link & next[pred[t]] = curr[t] & !marked[pred[t]]\n",
        "pc[t] = Link & !marked[pred[t]]\n",
    ),
    (
        "set-lockfree",
        1,
        "pc[t] = Help & next[pred[t]] = curr[t] & !marked[pred[t]]",
        "pc[t] = Help",
    ),
    (
        "set-lockfree",
        1,
        "    if next[pred[t]] = curr[t] & !marked[pred[t]] then",
        "    if true then",
    ),
    (
        "set-lockfree",
        1,
        "!marked[curr[t]]) & key[curr[t]] >= arg[t]",
        "true) & key[curr[t]] >= arg[t]",
    ),
    ("set-fine", 2, "pc[t] = LockCurr & isundefined(lock[curr[t]])", "pc[t] = LockCurr"),
    (
        "set-lockfree",
        2,
        "pc[t] = Link & next[pred[t]] = curr[t] & !marked[pred[t]]\n",
        "pc[t] = Link & next[pred[t]] = curr[t]\n",
    ),
];

#[test]
fn mutants_are_not_proved() {
    for (name, items, from, to) in MUTANTS {
        let set = if *name == "german" { "Client" } else { "Thread" };
        let text = file(&format!("examples/murphi/{name}.m"));
        assert!(text.contains(from), "{name} has no {from:?}");
        let mutant = text.replace(from, to).replace("ITEMS: 2;", &format!("ITEMS: {items};"));
        let tracked = if *name == "german" { 2 } else { 1 };
        let found = proof(&mutant, set, tracked, LemmaSource::Mined).unwrap();
        let is_suspected = matches!(found.verdict, CmpVerdict::Suspicion(_));
        assert!(is_suspected, "{name} without {from:?}: {}", shown(&found));
        if *items < 2 {
            assert!(concrete(&mutant, set, 2).is_err(), "{name} without {from:?} is no mutant");
        }
    }
}
