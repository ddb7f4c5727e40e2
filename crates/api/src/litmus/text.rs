//! Answers to litmus tests as text in the format of herd7, and as lines of JSON.

use super::ModelAnswer;
use front_litmus::test::{Quantifier, Test};
use models::Model;
use oracle::Problem;
use oracle::litmus::Answer;
use std::fmt::Write;
use std::path::Path;

/// What is said where there is no answer.
pub fn inconclusive(test: &Test, model: &Model, problem: &Problem) -> String {
    format!("Inconclusive {} under {}: {problem}", test.name, model.name)
}

/// What to say of executions that were left out because they access what is not an address, or not
/// aligned.
pub fn strays(answer: &Answer) -> String {
    let executions = match answer.strays {
        _ if !answer.counted => "some executions access".to_string(),
        1 => "one execution accesses".to_string(),
        many => format!("{many} executions access"),
    };
    format!("{executions} something that is not an address, or is not aligned; left out")
}

/// What is printed about a test under a model, in the format of herd7.
pub fn text(test: &Test, outcome: &ModelAnswer, name_model: bool) -> String {
    let mut out = String::new();
    let quantifier = test.question.as_ref().map(|question| question.quantifier);
    let kind = match quantifier {
        Some(Quantifier::Exists) => "Allowed",
        Some(Quantifier::NotExists) => "Forbidden",
        Some(Quantifier::ForAll) | None => "Required",
    };
    let _ = writeln!(out, "Test {} {kind}", test.name);
    if name_model {
        let _ = writeln!(out, "Model {}", outcome.model.name);
    }
    let answer = match &outcome.answer {
        Ok(answer) => answer,
        Err(problem) => {
            let _ = writeln!(out, "Inconclusive ({problem})\n");
            return out;
        }
    };
    let _ = writeln!(out, "States {}", answer.states.len());
    for state in &answer.states {
        let _ = writeln!(out, "{}", state.text);
    }
    let _ = writeln!(out, "{}", result_word(test, answer));
    if answer.counted {
        let (for_it, against) = witnesses(test, answer);
        let _ = writeln!(out, "Witnesses\nPositive: {for_it} Negative: {against}");
    }
    if outcome.fell_over {
        let _ = writeln!(out, "Note: too many executions to count; the solver found the states");
    }
    for flag in &answer.flags {
        let _ = writeln!(out, "Flag {flag}");
    }
    if answer.bounded {
        let _ = writeln!(out, "Warning: executions with more rounds of a loop were left out");
    }
    if answer.strays > 0 {
        let _ = writeln!(out, "Warning: {}", strays(answer));
    }
    for register in &answer.hidden {
        let _ = writeln!(
            out,
            "Warning: the upper half of {register} is not shown: declare `uint64_t {register};`"
        );
    }
    let _ = writeln!(out, "Condition {}", condition(test));
    let word = answer.observation();
    let _ = match answer.counted {
        true => writeln!(
            out,
            "Observation {} {word} {} {}",
            test.name, answer.positive, answer.negative
        ),
        false => writeln!(out, "Observation {} {word}", test.name),
    };
    let _ = writeln!(out, "Time {} {:.2}\n", test.name, outcome.time.as_secs_f64());
    out
}

fn condition(test: &Test) -> String {
    match &test.question {
        Some(question) => format!("{} ({})", question.quantifier.name(), question.prop),
        None => "forall (true)".to_string(),
    }
}

/// Executions that speak for and against the answer yes.
fn witnesses(test: &Test, answer: &Answer) -> (u64, u64) {
    match &test.question {
        Some(question) if question.quantifier == Quantifier::NotExists => {
            (answer.negative, answer.positive)
        }
        _ => (answer.positive, answer.negative),
    }
}

fn result_word(test: &Test, answer: &Answer) -> &'static str {
    let quantifier = test.question.as_ref().map_or(Quantifier::ForAll, |q| q.quantifier);
    if answer.undefined {
        return "Undef";
    }
    if answer.holds(quantifier) { "Ok" } else { "No" }
}

/// One line of JSON.
pub fn json(path: &Path, test: &Test, outcome: &ModelAnswer) -> String {
    let mut object = serde_json::json!({
        "file": path.display().to_string(),
        "test": test.name,
        "arch": test.arch.name(),
        "model": outcome.model.name,
        "condition": condition(test),
        "seconds": outcome.time.as_secs_f64(),
    });
    match &outcome.answer {
        Ok(answer) => {
            let states: Vec<_> = answer
                .states
                .iter()
                .map(|state| {
                    let mut object = serde_json::json!({
                        "state": state.text,
                        "satisfies": state.satisfies,
                    });
                    if answer.counted {
                        object["executions"] = state.count.into();
                    }
                    object
                })
                .collect();
            object["result"] = result_word(test, answer).into();
            object["observation"] = answer.observation().to_string().into();
            if answer.counted {
                object["positive"] = answer.positive.into();
                object["negative"] = answer.negative.into();
            }
            object["flags"] = answer.flags.iter().map(|flag| flag.to_string()).collect();
            object["bounded"] = answer.bounded.into();
            object["strays"] = answer.strays.into();
            if !answer.hidden.is_empty() {
                object["hidden"] = answer.hidden.iter().cloned().collect();
            }
            object["counted"] = answer.counted.into();
            object["states"] = states.into();
        }
        Err(problem) => object["inconclusive"] = problem.to_string().into(),
    }
    format!("{object}\n")
}
