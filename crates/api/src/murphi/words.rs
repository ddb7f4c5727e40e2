//! Violations of Murphi models in words.

use super::{Deadlock, Options, Subject, Violation, kind};
use engines::guarded::{Step, Violation as Found, Wrong};
use execution::diagnostic::Diagnostic;
use guarded::fault::{Fault, FaultKind};
use guarded::model::{Model, PropertyId, Rule, RuleId, ScalarKind};
use guarded::reduction::{OTHER, Reduction};
use guarded::show::{self, ShownCell};
use report::transitions::{Change, Transition};

/// What is wrong, where, and how it comes about.
pub fn violation(subject: &Subject, found: &Found, deadlock: Deadlock) -> Violation {
    let model = &subject.model;
    let diagnostic = match found.wrong {
        Wrong::Invariant(property) => invariant(model, property),
        Wrong::Cover(property) => {
            let name = property_name(model, property);
            let message = format!("no reachable state satisfies the cover property{name}");
            Diagnostic::error(model.properties[property].span, message)
        }
        Wrong::Deadlock => Diagnostic::general(match deadlock {
            Deadlock::Stuck => "deadlock: in the last state no rule is enabled",
            _ => "deadlock: no rule leads from the last state to another one",
        }),
        Wrong::Fault(fault) => fault_message(model, fault),
    };
    Violation { kind: kind(found.wrong), diagnostic, steps: steps(subject, &found.steps) }
}

/// A false invariant.
pub fn invariant(model: &Model, property: PropertyId) -> Diagnostic {
    let message = format!("the invariant{} is violated", property_name(model, property));
    Diagnostic::error(model.properties[property].span, message)
}

fn property_name(model: &Model, property: PropertyId) -> String {
    let name = &model.properties[property].name;
    name.as_ref().map_or_else(String::new, |name| format!(" \"{name}\""))
}

/// Code that fails.
pub fn fault_message(model: &Model, fault: Fault) -> Diagnostic {
    let site = &model.sites[fault.site];
    let text = site.text.as_ref().map_or_else(String::new, |text| format!(": {text}"));
    let message = match fault.kind {
        FaultKind::Assertion => format!("this assertion fails{text}"),
        FaultKind::Error => format!("this error statement is executed{text}"),
        FaultKind::Undefined => "an undefined value is read".to_string(),
        FaultKind::Range => "this value is outside of its range".to_string(),
        FaultKind::Division => "division by zero".to_string(),
        FaultKind::Full => "the multiset has no room for another element".to_string(),
        FaultKind::Assumption => "this assumption fails".to_string(),
        FaultKind::Order => "this loop depends on the order of a scalarset".to_string(),
        FaultKind::Untracked | FaultKind::Unchosen => {
            "this depends on a member that is not considered".to_string()
        }
        FaultKind::Endless => "this loop or recursion is longer than is executed".to_string(),
    };
    Diagnostic::error(site.span, message)
}

fn steps(subject: &Subject, steps: &[Step]) -> Vec<Transition> {
    let model = &subject.model;
    let cells = show::cells(model);
    let mut before: Option<&Vec<u32>> = None;
    let mut shown = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        let (what, rule) = match number {
            0 => ("start state", &model.starts[execution::ids::Id::index(step.rule)]),
            _ => ("rule", &model.rules[step.rule]),
        };
        let line = subject.sources.location(rule.span).line;
        let changes = step.state.as_ref().map(|state| changes(model, &cells, before, state));
        shown.push(Transition {
            rule: title(model, what, rule, &step.values),
            line,
            changes: changes.unwrap_or_default(),
            fails: step.state.is_none(),
        });
        before = step.state.as_ref();
    }
    shown
}

/// `rule "send", n = Node_2`; a rule without a name is called by its number.
pub fn title(model: &Model, what: &str, rule: &Rule, values: &[i64]) -> String {
    let mut title = match rule.name.starts_with(what) {
        true => rule.name.to_string(),
        false => format!("{what} \"{}\"", rule.name),
    };
    for (parameter, value) in rule.parameters.iter().zip(values) {
        let value = show::parameter(model, parameter, *value);
        title += &format!(", {} = {value}", parameter.name);
    }
    title
}

/// Steps of an abstract model in words.
pub struct AbstractSteps<'s> {
    /// The model, with as many members as are tracked and some others.
    pub subject: &'s Subject,
    /// How it is reduced.
    pub reduction: &'s Reduction,
}

impl AbstractSteps<'_> {
    /// The steps, each a rule with its parameters and the abstract state that it leads to; the last
    /// one may fail.
    pub fn show<'a>(
        &self,
        steps: impl Iterator<Item = (RuleId, &'a [i64], &'a Box<[u16]>)>,
        fails: Option<(RuleId, &[i64])>,
    ) -> Vec<Transition> {
        let model = &self.subject.model;
        let cells = show::cells(model);
        let mut before: Option<&Box<[u16]>> = None;
        let mut shown = Vec::new();
        for (number, (rule, values, state)) in steps.enumerate() {
            let mut transition = self.transition(number == 0, rule, values);
            for (at, cell) in self.reduction.kept.iter().enumerate() {
                let value = |code: u16| match code {
                    OTHER => "another".to_string(),
                    code => cells[*cell].value(model, code.into()),
                };
                let old = before.map(|before| before[at]);
                if old.map_or(state[at] != 0, |old| old != state[at]) {
                    transition.changes.push(Change {
                        name: cells[*cell].name.clone(),
                        before: old.map(value),
                        after: value(state[at]),
                    });
                }
            }
            shown.push(transition);
            before = Some(state);
        }
        if let Some((rule, values)) = fails {
            shown.push(Transition {
                fails: true,
                ..self.transition(shown.is_empty(), rule, values)
            });
        }
        shown
    }

    fn transition(&self, is_start: bool, rule: RuleId, values: &[i64]) -> Transition {
        let model = &self.subject.model;
        let (what, rule) = match is_start {
            true => ("start state", &model.starts[execution::ids::Id::index(rule)]),
            false => ("rule", &model.rules[rule]),
        };
        let set = &model.types.scalars[self.reduction.set];
        let name = set.name.as_deref().unwrap_or("member");
        let mut title = title(model, what, rule, values);
        for witness in self.reduction.tracked + 1..=set.span() as usize {
            title = title.replace(&format!("{name}_{witness}"), &format!("another {name}"));
        }
        let line = self.subject.sources.location(rule.span).line;
        Transition { rule: title, line, changes: Vec::new(), fails: false }
    }
}

fn changes(
    model: &Model,
    cells: &[ShownCell],
    before: Option<&Vec<u32>>,
    state: &[u32],
) -> Vec<Change> {
    let mut changes = Vec::new();
    for (at, (cell, code)) in cells.iter().zip(state).enumerate() {
        let old = before.map(|before| before[at]);
        let is_shown = match old {
            Some(old) => old != *code,
            // What a start state leaves undefined needs no line.
            None => *code != 0,
        };
        if is_shown {
            changes.push(Change {
                name: cell.name.clone(),
                before: old.map(|old| cell.value(model, old)),
                after: cell.value(model, *code),
            });
        }
    }
    changes
}

/// What the user will want to know about symmetry.
pub fn notes(model: &Model, options: &Options, symmetric: bool) -> Vec<String> {
    let has_sets = || model.types.scalars.iter().any(|one| one.kind == ScalarKind::Scalarset);
    if !options.symmetry {
        return Vec::new();
    }
    let mut notes: Vec<String> = Vec::new();
    for (set, place) in &model.ordered {
        let name = model.types.scalars[*set].name.as_deref().unwrap_or("without a name");
        notes.push(format!(
            "the scalarset {name} is not permuted: a loop in `{place}` depends on the order of its \
             members"
        ));
    }
    if !symmetric && has_sets() && notes.is_empty() {
        notes.push(
            "symmetry is not used: the effect of a loop depends on the order of a scalarset"
                .to_string(),
        );
    }
    notes
}
