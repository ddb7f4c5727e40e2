//! Draws what a test asks for: an execution that meets its condition, allowed or not.
//!
//! If the model allows such an execution, that is drawn. If it does not, an execution is looked
//! for that meets the condition and that a much weaker model allows, and what forbids it is drawn
//! with it: the cycle of the axiom that fails.

use super::{Limits, ModelAnswer};
use execution::event::Execution;
use front_litmus::test::Test;
use models::{Failure, Model, check_execution_within};
use oracle::EnumerationOptions;
use oracle::litmus::{Prepared, language};
use report::Style;
use report::picture::{Picture, expand_cycle, svg, text};
use std::time::Instant;

/// A drawn execution.
pub struct Drawing {
    /// For a terminal.
    pub text: String,
    /// For a browser.
    pub svg: String,
}

/// Models under which an execution is looked for that the user's model forbids, strongest first.
const WEAK: [&str; 2] = [
    "include \"cos.cat\"\nacyclic po-loc | rf | co | fr\nempty rmw & (fre; coe)\n",
    "include \"cos.cat\"\n",
];

/// Draws an execution that meets a test's condition; `None` if there is none at all.
pub fn draw(test: &Test, outcome: &ModelAnswer, limits: &Limits, style: Style) -> Option<Drawing> {
    let model = &outcome.model;
    let (execution, failure) = match outcome.answer.as_ref().ok()?.witness.clone() {
        Some(execution) => (execution, None),
        None => forbidden(test, model, limits)?,
    };
    let verb = if failure.is_some() { "forbids" } else { "allows" };
    let remark = failure.as_ref().map(|failure| {
        let test = format!("{:?}", failure.test).to_lowercase();
        format!("{} forbids this by its axiom `{}` ({test})", model.name, failure.axiom)
    });
    let cycle = failure.map(|failure| failure.events).unwrap_or_default();
    let cycle = expand_cycle(&execution, &cycle);
    let title = format!("{}: an execution that {} {verb}", test.name, model.name);
    let notes = Default::default();
    let picture = Picture { title, execution: &execution, cycle, remark, notes };
    Some(Drawing { text: text::draw(&picture, style), svg: svg::draw(&picture) })
}

/// An execution that meets the condition although the model forbids it, and why it does.
fn forbidden(test: &Test, model: &Model, limits: &Limits) -> Option<(Execution, Option<Failure>)> {
    let mut options = EnumerationOptions::new(language(test));
    options.loop_bound = limits.unroll;
    options.limits = limits.since(Instant::now());
    let own = options.limits.clone();
    let prepared = Prepared::new(test, options).ok()?;
    for weak in WEAK {
        let weak = Model::from_text("weak", &format!("\"weak\"\n{weak}")).ok()?;
        let Some(execution) = prepared.ask(&weak, true).ok()?.witness else { continue };
        let failure = check_execution_within(model, &execution, &own).ok()?.failed;
        return Some((execution, failure));
    }
    None
}
