//! From C text to outcomes, on the way that users' programs take.

use execution::span::SourceMap;
use front_c::pp::{COptions, MemoryLoader};
use ir::prepare::{Preparation, whole};
use ir::program::Program;
use models::Model;
use oracle::program::{Outcomes, outcomes, witnesses};
use oracle::{EnumerationOptions, Problem};
use replay::{replay, target};
use std::path::Path;

/// The program of C text as it is verified on a model.
pub fn compiled(text: &str, model: &Model) -> Program {
    let program = whole(compile(text), &Preparation::default());
    target::compile(&program, model).expect("it has a mapping")
}

fn compile(text: &str) -> Program {
    let loader = MemoryLoader::new().with("test.c", text);
    let mut sources = SourceMap::new();
    let options = COptions::default();
    let compiled = front_c::compile(Path::new("test.c"), &options, &loader, &mut sources);
    let (program, _) = compiled.unwrap_or_else(|problems| {
        let messages: Vec<&str> = problems.iter().map(|p| p.message.as_str()).collect();
        panic!("the program is wrong: {messages:?}")
    });
    program
}

pub fn model(name: &str) -> Model {
    Model::named(name).unwrap_or_else(|| panic!("there is no model {name}"))
}

pub fn try_outcomes(text: &str, name: &str) -> Result<Outcomes, Problem> {
    let model = model(name);
    let program = compiled(text, &model);
    outcomes(&program, &model, &EnumerationOptions::for_program(&model))
}

/// What can come of a program, as text. Every execution that is found must be replayed, with the
/// same outcome.
pub fn run(text: &str, name: &str) -> Vec<String> {
    let model = model(name);
    let program = compiled(text, &model);
    let options = EnumerationOptions::for_program(&model);
    let found = witnesses(&program, &model, &options, &mut |_| true);
    let found = found.unwrap_or_else(|problem| panic!("{name}: {problem}"));
    let mut texts: Vec<String> = Vec::new();
    for (outcome, witness) in found {
        let replayed = match replay(&program, &model, &witness) {
            Ok(replayed) => replayed,
            Err(mismatch) => panic!("{name}: {outcome} is not replayed: {mismatch}\n{witness:?}"),
        };
        match &outcome.finding {
            None => assert_eq!(replayed.observation, outcome.observation, "{name}"),
            Some(finding) => {
                let kind = replayed.finding.map(|finding| finding.kind);
                assert_eq!(kind.as_ref(), Some(&finding.kind), "{name}");
            }
        }
        let text = outcome.to_string();
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts.sort();
    texts
}

/// Whether some outcome contains this text.
pub fn allows(text: &str, name: &str, outcome: &str) -> bool {
    run(text, name).iter().any(|found| found.contains(outcome))
}
