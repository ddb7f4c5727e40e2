//! Executes bounded programs, one action after the other in some interleaving.

use super::random::Numbers;
use crate::bounded::*;
use crate::guard::Guard;
use crate::term::{InputId, Term, TermId, Terms};
use crate::values::evaluate;
use ir::value::Value;
use std::collections::{BTreeMap, HashMap};

/// The values of inputs, as far as they are known.
pub type Inputs = HashMap<InputId, Value>;

/// The value of a term; `None` if it depends on an input that is not known.
pub fn value(terms: &Terms, inputs: &Inputs, id: TermId) -> Option<Value> {
    let value = |id| value(terms, inputs, id);
    Some(match *terms.term(id) {
        Term::Const(constant) => constant,
        Term::Input(input) => *inputs.get(&input)?,
        Term::Unary(op, a) => value(a)?.unary(op),
        Term::Binary(op, a, b) => evaluate::binary(op, value(a)?, value(b)?),
        Term::Cast(op, width, a) => value(a)?.cast(op, width),
        Term::Below(a, _) => value(a)?,
        Term::Select(c, a, b) => value(c)?.select(value(a)?, value(b)?),
        Term::Ite(guard, a, b) => {
            if holds(terms, inputs, guard)? {
                value(a)?
            } else {
                value(b)?
            }
        }
    })
}

/// Whether a guard holds; `None` if that depends on an input that is not known.
pub fn holds(terms: &Terms, inputs: &Inputs, guard: Guard) -> Option<bool> {
    match terms.guards.decision(guard) {
        None => Some(guard == Guard::TRUE),
        Some(decision) => {
            let bit = value(terms, inputs, decision.condition)?.bits != 0;
            holds(terms, inputs, if bit { decision.high } else { decision.low })
        }
    }
}

/// One interleaving, with choices made at random. A thread whose access is wrong stops.
pub fn run(bounded: &Bounded, numbers: &mut Numbers) -> Inputs {
    let mut inputs = Inputs::new();
    for (id, input) in bounded.inputs.enumerate() {
        let number = match input {
            Input::Choice { from: Alternatives::Range(low, high), .. } => {
                low + numbers.below((high - low + 1) as usize) as i128
            }
            Input::Choice { from: Alternatives::Any, .. } => i128::from(numbers.next()),
            _ => continue,
        };
        inputs.insert(id, Value::signed(ir::program::Width::I64, number));
    }
    let mut memory: BTreeMap<u64, Value> = BTreeMap::new();
    let mut todo: Vec<&[ActionId]> = bounded.threads.iter().map(|t| &t.actions[..]).collect();
    while !todo.is_empty() {
        let thread = numbers.below(todo.len());
        let done = match todo[thread].split_first() {
            None => true,
            Some((&action, rest)) => {
                todo[thread] = rest;
                step(bounded, &mut inputs, &mut memory, action).is_none()
            }
        };
        if done {
            todo.swap_remove(thread);
        }
    }
    inputs
}

/// `None` if the access is wrong.
fn step(
    bounded: &Bounded,
    inputs: &mut Inputs,
    memory: &mut BTreeMap<u64, Value>,
    action: ActionId,
) -> Option<()> {
    let terms = &bounded.terms;
    let action = &bounded.actions[action];
    if holds(terms, inputs, action.guard) != Some(true) {
        return Some(());
    }
    let (ActionKind::Read { access, .. } | ActionKind::Write { access, .. }) = &action.kind else {
        return Some(());
    };
    let address = value(terms, inputs, access.address)?;
    let region = &bounded.regions[address.provenance.filter(|_| address.is_defined())?];
    let offset = address.low().checked_sub(region.base).filter(|o| o + 8 <= region.size)?;
    // Overlapping cells are refused elsewhere.
    if offset % 8 != 0 {
        return None;
    }
    match &action.kind {
        ActionKind::Read { into, .. } => {
            let initial = || match (bounded.initial.get(&address.low()), &region.contents) {
                (Some(cell), _) => value(terms, inputs, cell.value),
                (None, Contents::Undefined) => Some(Value::undef(access.width)),
                (None, Contents::Bytes(_)) => Some(Value::int(access.width, 0)),
            };
            let read = memory.get(&address.low()).copied().or_else(initial)?;
            inputs.insert(*into, read);
        }
        ActionKind::Write { value: written, .. } => {
            memory.insert(address.low(), value(terms, inputs, *written)?);
        }
        _ => {}
    }
    Some(())
}
