//! The shortest way from a text to an answer, for programs that embed Fencepost.
//!
//! Everything else in this crate is what the command line uses; these functions are enough for
//! checking a data type or a program, with a [`Budget`] and progress.

use crate::answer::{Confirmed, Doing};
use crate::check::cell as test_cell;
use crate::check::plan as test_plan;
use crate::compile::{Rejected, Texts};
use crate::evidence::Wanted;
use crate::verify::cell as programs;
use crate::verify::plan as program_plan;
use engines::verification::Property;
use execution::span::SourceMap;
use execution::verdict::Reason;
use sat::Interrupter;
use std::time::Duration;

/// What an answer may cost, and who is kept informed.
#[derive(Clone, Copy, Default)]
pub struct Budget<'a> {
    /// How long it may take.
    pub time: Option<Duration>,
    /// How many bytes of memory the process may use.
    pub memory: Option<u64>,
    /// Stops the work from another thread.
    pub interrupter: Option<&'a Interrupter>,
    /// Is called with what is being done.
    pub progress: Option<&'a dyn Fn(Doing)>,
}

/// A verdict with its counterexample and the text that this refers to.
pub struct Answer {
    /// The verdict; of a violation that the replay has confirmed, also what happens.
    pub confirmed: Confirmed,
    /// The text of all files that were read.
    pub sources: SourceMap,
}

impl Answer {
    /// The counterexample as the command line shows it.
    pub fn text(&self) -> Option<String> {
        let (_, story) = self.confirmed.violation()?;
        Some(report::counterexample::text::render(story, &self.sources, report::Style::Plain))
    }

    /// The accesses through which the threads of the counterexample communicate, as a picture.
    pub fn svg(&self) -> Option<String> {
        let (_, story) = self.confirmed.violation()?;
        Some(report::counterexample::html::graph(story, &self.sources))
    }
}

/// Checks a test of a data type in C, from a string, on a memory model.
///
/// ```
/// use execution::verdict::Verdict;
/// use fencepost::embed::{Budget, check};
///
/// let counter = "#include <fencepost.h>
///     static int n;
///     void init(void) { n = 0; }
///     void add(void) { int seen = n; n = seen + 1; fp_observe(\"seen\", seen); }";
/// let answer = check("counter.c", counter, "( add | add )", "sc", Budget::default()).unwrap();
/// let Verdict::Violated(counterexample) = &answer.confirmed.verdict else { panic!() };
/// // The counterexample is data,
/// assert_eq!(counterexample.witness.as_ref().unwrap().threads.len(), 3);
/// // and can be shown as text and as a picture.
/// assert!(answer.text().unwrap().contains("clients"));
/// assert!(answer.svg().unwrap().starts_with("<svg"));
/// ```
pub fn check(
    name: &str,
    source: &str,
    test: &str,
    model: &str,
    budget: Budget<'_>,
) -> Result<Answer, Box<Rejected>> {
    let request = test_plan::Request {
        file: name.into(),
        tests: vec![test.to_string()],
        models: vec![model.to_string()],
        texts: Texts::default().with(name, source),
        time_limit: budget.time,
        memory_limit: budget.memory,
        ..test_plan::Request::default()
    };
    let subject = test_plan::plan(&request)?.pop().expect("a file gives one subject");
    let never = Interrupter::default();
    let context = test_cell::Context {
        cache: None,
        interrupter: budget.interrupter.unwrap_or(&never),
        evidence: &Wanted::default(),
        name: "",
        progress: budget.progress.unwrap_or(&|_| {}),
        publish: &|_| {},
    };
    let answer = test_cell::check(&subject, &subject.tests[0], &subject.models[0], context);
    Ok(Answer { confirmed: answer.outcome, sources: subject.sources })
}

/// Verifies a property of a whole C program, from a string, on a memory model.
///
/// ```
/// use engines::verification::Property;
/// use execution::verdict::Verdict;
/// use fencepost::embed::{Budget, verify};
///
/// let program = "#include <assert.h>
///     int main(void) { int x = 1; assert(x == 1); return 0; }";
/// let answer = verify("one.c", program, Property::Assert, "tso", Budget::default()).unwrap();
/// assert_eq!(answer.confirmed.verdict, Verdict::Holds);
///
/// // What is wrong with the input is an error with its place.
/// let error = verify("two.c", "int main(void) { return x; }", Property::Assert, "tso",
///     Budget::default()).err().unwrap();
/// assert!(error.to_string().contains("--> two.c:1:25"));
/// ```
///
/// A budget stops it; what is known so far is in the verdict. Progress is reported meanwhile:
///
/// ```
/// # use engines::verification::Property;
/// # use execution::verdict::{Reason, Verdict};
/// # use fencepost::embed::{Budget, verify};
/// # use std::cell::Cell;
/// let program = "#include <assert.h>\n#include <pthread.h>
///     static int x, y; static void *f(void *u) { for (;;) { x++; y += x; } return u; }
///     int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); for (;;) assert(y += x); }";
/// let steps = Cell::new(0);
/// let budget = Budget {
///     time: Some(std::time::Duration::ZERO),
///     progress: Some(&|_| steps.set(steps.get() + 1)),
///     ..Budget::default()
/// };
/// let answer = verify("busy.c", program, Property::Leak, "rc11", budget).unwrap();
/// let Verdict::Inconclusive(Reason::Limit(_), _) = answer.confirmed.verdict else { panic!() };
/// assert!(steps.get() > 0);
/// ```
pub fn verify(
    name: &str,
    source: &str,
    property: Property,
    model: &str,
    budget: Budget<'_>,
) -> Result<Answer, Box<Rejected>> {
    let request = program_plan::Request {
        properties: vec![property],
        ..request(name, source, model, budget)
    };
    let (subject, answer) = ask(name, &request, budget)?;
    let confirmed = answer.outcome(property).cloned().unwrap_or_else(|| {
        let what = format!("the property `{property}`, to which {model} gives no meaning");
        Confirmed::unknown(Reason::Unsupported { what, place: None })
    });
    Ok(Answer { confirmed, sources: subject.sources })
}

/// Lists what the expressions can be when a whole C program ends, in all executions that a memory
/// model allows; and whether these are all.
///
/// ```
/// use execution::verdict::Verdict;
/// use fencepost::embed::{Budget, outcomes};
///
/// let program = "#include <pthread.h>
///     int x, y, a, b;
///     static void *f(void *u) { x = 1; a = y; return u; }
///     static void *g(void *u) { y = 1; b = x; return u; }
///     int main(void) {
///         pthread_t s, t;
///         pthread_create(&s, 0, f, 0); pthread_create(&t, 0, g, 0);
///         pthread_join(s, 0); pthread_join(t, 0);
///         return 0;
///     }";
/// let (on_sc, all) = outcomes("sb.c", program, "a, b", "sc", Budget::default()).unwrap();
/// let (on_tso, _) = outcomes("sb.c", program, "a, b", "tso", Budget::default()).unwrap();
/// assert_eq!(all.verdict, Verdict::Holds);
/// assert_eq!((on_sc.len(), on_tso.len()), (3, 4));
/// ```
pub fn outcomes(
    name: &str,
    source: &str,
    expressions: &str,
    model: &str,
    budget: Budget<'_>,
) -> Result<(Vec<Observed>, Confirmed), Box<Rejected>> {
    let outcomes = Some(expressions.to_string());
    let request = program_plan::Request { outcomes, ..request(name, source, model, budget) };
    let (_, answer) = ask(name, &request, budget)?;
    Ok((answer.observed.unwrap_or_default(), answer.rest))
}

pub use engines::verification::outcomes::Observed;

fn request(name: &str, source: &str, model: &str, budget: Budget<'_>) -> program_plan::Request {
    program_plan::Request {
        models: vec![model.to_string()],
        texts: Texts::default().with(name, source),
        time_limit: budget.time,
        memory_limit: budget.memory,
        ..program_plan::Request::default()
    }
}

fn ask(
    name: &str,
    request: &program_plan::Request,
    budget: Budget<'_>,
) -> Result<(program_plan::Subject, programs::Answer), Box<Rejected>> {
    let subject = program_plan::plan(name.as_ref(), request)?;
    let never = Interrupter::default();
    let context = programs::Context {
        interrupter: budget.interrupter.unwrap_or(&never),
        evidence: &Wanted::default(),
        name: "",
        progress: budget.progress.unwrap_or(&|_| {}),
        publish: &|_| {},
    };
    let answer = programs::verify(&subject, &subject.models[0], context);
    Ok((subject, answer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use execution::verdict::Verdict;

    #[test]
    fn what_a_model_gives_no_meaning_does_not_hold() {
        let racy = "#include <pthread.h>\nint x;\n\
                    static void *f(void *u) { x = 1; return u; }\n\
                    int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 2; \
                    pthread_join(t, 0); return 0; }\n";
        let ask = |model| verify("race.c", racy, Property::Race, model, Budget::default());
        let answer = |model| ask(model).unwrap_or_else(|e| panic!("{e}")).confirmed;
        assert!(matches!(answer("sc").reason(), Some(Reason::Unsupported { .. })));
        assert!(matches!(answer("rc11").verdict, Verdict::Violated(_)));
    }
}
