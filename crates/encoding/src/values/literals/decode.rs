//! The values of terms in the model that was found.

use super::Values;
use crate::bounded::{Alternatives, Input};
use crate::guard::Guard;
use crate::term::{Term, TermId};
use crate::values::evaluate;
use crate::values::set::Set;
use ir::value::Value;
use sat::Formula;
use std::collections::HashMap;

impl Values {
    /// The value of a term, after the formula was found satisfiable. A term without literals is
    /// computed from its operands; an input without literals, which nothing depends on, is any of
    /// its values.
    pub fn decode(&self, f: &Formula, t: TermId) -> Value {
        self.decoded(f, t, &mut HashMap::new())
    }

    fn decoded(&self, f: &Formula, t: TermId, known: &mut HashMap<TermId, Value>) -> Value {
        if let Some(&value) = known.get(&t) {
            return value;
        }
        let width = self.bounded.terms.width(t);
        let value = if let Some(hot) = self.hot.get(&t) {
            let element = hot.iter().find(|(_, lit)| f.value(*lit));
            element.map_or(Value::undef(width), |(value, _)| *value)
        } else if let Some(bits) = self.bits.get(&t) {
            bits.decode(f, width)
        } else {
            let mut value = |t| self.decoded(f, t, known);
            match *self.bounded.terms.term(t) {
                Term::Const(value) => value,
                Term::Input(input) => self.any(f, t, self.bounded.inputs.get(input), known),
                Term::Unary(op, a) => value(a).unary(op),
                Term::Binary(op, a, b) => evaluate::binary(op, value(a), value(b)),
                Term::Cast(op, width, a) => value(a).cast(op, width),
                Term::Below(a, _) => value(a),
                Term::Select(c, a, b) => value(c).select(value(a), value(b)),
                Term::Ite(guard, a, b) => {
                    let chosen = if self.holds(f, guard, known) { a } else { b };
                    self.decoded(f, chosen, known)
                }
            }
        };
        known.insert(t, value);
        value
    }

    /// Whether a guard holds, after the formula was found satisfiable.
    pub fn decode_guard(&self, f: &Formula, g: Guard) -> bool {
        self.holds(f, g, &mut HashMap::new())
    }

    fn holds(&self, f: &Formula, mut g: Guard, known: &mut HashMap<TermId, Value>) -> bool {
        while let Some(decision) = self.bounded.terms.guards.decision(g) {
            if let Some(&lit) = self.guards.get(&g) {
                return f.value(lit);
            }
            let bit = self.decoded(f, decision.condition, known).bits != 0;
            g = if bit { decision.high } else { decision.low };
        }
        g == Guard::TRUE
    }

    /// Some value that an input may have.
    fn any(
        &self,
        f: &Formula,
        t: TermId,
        input: Option<&Input>,
        known: &mut HashMap<TermId, Value>,
    ) -> Value {
        let width = self.bounded.terms.width(t);
        match (input, self.sets.of(&self.bounded, t).into_owned()) {
            (Some(Input::Choice { from: Alternatives::Terms(terms), .. }), _) => {
                terms.first().map_or(Value::undef(width), |&t| self.decoded(f, t, known))
            }
            (Some(Input::Choice { from: Alternatives::Range(low, _), .. }), _) => {
                Value::signed(width, *low)
            }
            (_, Set::Few(values)) => values.first().copied().unwrap_or(Value::undef(width)),
            (_, Set::Many(shape)) => Value {
                provenance: shape.provenance[0],
                high: shape.high[0],
                ..Value::int(width, shape.fixed)
            },
        }
    }
}
