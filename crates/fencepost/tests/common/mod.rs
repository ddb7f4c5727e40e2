//! What the solver says of small programs, for tests that compare its ways.

use encoding::encode;
use engines::bounded::unrolling::CheckOptions;
use engines::verdict::{Reason, Verdict};
use engines::verification::outcomes::{Asked, Observed};
use engines::verification::{EngineChoice, Portfolio, Property, Questions, Report};
use fencepost::compile::{Language, compile_text};
use fencepost::litmus::model;
use fencepost::target;
use ir::prepare::{Preparation, whole};

/// The models that programs are looked at on.
pub const MODELS: [&str; 4] = ["sc", "relaxed", "armv8", "rc11"];

/// A program, what is violated on all models, and how many different things can be observed.
pub struct Case {
    /// What it is about.
    pub name: &'static str,
    /// The program; without a `main`, one that runs its threads `a` and `b`.
    pub text: &'static str,
    /// What is violated.
    pub violated: &'static [Property],
    /// How many different things can be observed.
    pub observed: usize,
}

const HEADERS: &str = "#include <checkfence.h>\n#include <pthread.h>\n#include <stdatomic.h>\n";
const MAIN: &str = "int main(void) {\n  pthread_t p, q;\n  pthread_create(&p, 0, a, 0);\n  \
    pthread_create(&q, 0, b, 0);\n  pthread_join(p, 0);\n  pthread_join(q, 0);\n  return 0;\n}\n";

/// Asks the solver about a program on a model.
pub fn solved(text: &str, name: &str, encoding: encode::EncodeOptions) -> Report {
    let properties = vec![Property::Assert, Property::Memory, Property::Deadlock];
    let questions = Questions { properties, outcomes: Asked::All, ..Questions::default() };
    answered(text, name, encoding, questions)
}

/// What the solver says to these questions about a program on a model.
pub fn answered(
    text: &str,
    name: &str,
    encoding: encode::EncodeOptions,
    questions: Questions,
) -> Report {
    let main = if text.contains("int main") { "" } else { MAIN };
    let text = format!("{HEADERS}{text}\n{main}");
    let compiled = compile_text("program.c", &text, Language::C).expect("the program is right");
    let program = whole(compiled.program, &Preparation::default());
    let model = model(name).unwrap_or_else(|_| panic!("there is no model {name}"));
    let program = target::compile(&program, &model).expect("it can be compiled for the model");
    let options = CheckOptions { max_unroll: 8, encoding, progress: &|_| () };
    Portfolio::from(EngineChoice::Solver).verify_confirmed_by(
        &program,
        &model,
        &questions,
        &options,
        &|_| false,
    )
}

/// What is violated; everything else must hold, or not be known past a memory error or a broken rule.
pub fn violated(report: &Report) -> Vec<Property> {
    let [memory, assert] = [Property::Memory, Property::Assert].map(|it| report.verdicts.get(&it));
    let ends_early = [memory, assert].iter().any(|it| matches!(it, Some(Verdict::Violated(_))));
    let is_violated = |(property, verdict): (&Property, &Verdict)| match verdict {
        Verdict::Violated(_) => Some(*property),
        Verdict::Holds => None,
        Verdict::Inconclusive(Reason::Cut(_), _) if ends_early => None,
        other => panic!("{property:?}: {other:?}"),
    };
    report.verdicts.iter().filter_map(is_violated).collect()
}

/// What can be observed.
pub fn observed(report: &Report) -> Vec<&Observed> {
    report.behaviours.outcomes.iter().flat_map(|all| all.keys()).collect()
}
