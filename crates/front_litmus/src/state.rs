//! Final states of a test: what they consist of, how they are printed, and what the test's
//! question says about them.
//!
//! Soundness S-148 (litmus; all; misses): A register without a declared type is shown and compared
//! as 32 bits, the format's default (`int`): the upper half of a 64-bit value is not seen. A
//! warning names the register if some final state, or the condition, has more in it. Test:
//! crates/fencepost/tests/approximations.rs::a_register_without_a_type_shows_its_lower_half_only.

use crate::test::{Constant, Observed, Place, Prop, Test, ValueType};
use ir::op::CastOp;
use ir::program::{GlobalId, Width};
use ir::value::Value;
use std::collections::BTreeSet;

/// A value as a test sees it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Typed {
    /// A number.
    Number(i128),
    /// So far into a global.
    Address(GlobalId, i64),
    /// A value that nothing but itself decides.
    Symbolic,
}

impl Typed {
    /// A number, as a value of this type.
    pub fn number(value: Value, ty: ValueType) -> Self {
        let fitted = value.cast(CastOp::Truncate, ty.width);
        Typed::Number(if ty.signed { fitted.as_signed() } else { fitted.bits as i128 })
    }

    fn constant(constant: &Constant, ty: ValueType) -> Self {
        match constant {
            Constant::Int(number) => Typed::number(Value::signed(Width::I64, *number), ty),
            Constant::Address { global, offset, .. } => Typed::Address(*global, *offset as i64),
        }
    }
}

/// What a test observes in the end.
#[derive(Clone, Debug)]
pub struct Looks<'t> {
    test: &'t Test,
    /// Every observed place: those of the state first.
    pub places: Vec<Place>,
}

impl<'t> Looks<'t> {
    /// What `test` observes.
    pub fn new(test: &'t Test) -> Self {
        let mut places = Vec::new();
        for item in &test.observed {
            match item {
                Observed::Single(place) => add(&mut places, place),
                Observed::Array { elements, .. } => {
                    elements.iter().for_each(|place| add(&mut places, place));
                }
            }
        }
        let question = test.question.as_ref().map(|question| &question.prop);
        for prop in question.into_iter().chain(&test.filter) {
            add_places(&mut places, prop);
        }
        Self { test, places }
    }

    /// Whether a state (a value for each of the places) is one that the test accepts.
    pub fn passes(&self, state: &[Typed]) -> bool {
        self.test.filter.as_ref().is_none_or(|filter| self.holds(filter, state))
    }

    /// Whether a state satisfies the proposition of the test's question.
    pub fn satisfies(&self, state: &[Typed]) -> bool {
        self.test.question.as_ref().is_none_or(|question| self.holds(&question.prop, state))
    }

    /// Whether a place does not show all of a value that it holds, because the test does not say that
    /// it is as wide as that.
    pub fn hides(&self, place: &Place, value: Value) -> bool {
        let Place::Register { ty, declared: false, .. } = place else { return false };
        let wide = value.cast(CastOp::ZeroExtend, Width::I64);
        let shown = wide.cast(CastOp::Truncate, ty.width);
        let fits = [CastOp::ZeroExtend, CastOp::SignExtend]
            .map(|extend| shown.cast(extend, Width::I64).bits == wide.bits);
        value.provenance.is_none() && fits == [false, false]
    }

    /// The registers whose values the condition compares with more than they show.
    pub fn compared_with_more(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let question = self.test.question.as_ref().map(|question| &question.prop);
        for prop in question.into_iter().chain(&self.test.filter) {
            self.add_compared_with_more(&mut found, prop);
        }
        found
    }

    fn add_compared_with_more(&self, found: &mut BTreeSet<String>, prop: &Prop) {
        match prop {
            Prop::Equal(place, Constant::Int(number))
                if self.hides(place, Value::signed(Width::I64, *number)) =>
            {
                found.insert(place.to_string());
            }
            Prop::Not(prop) => self.add_compared_with_more(found, prop),
            Prop::And(props) | Prop::Or(props) => {
                props.iter().for_each(|prop| self.add_compared_with_more(found, prop));
            }
            Prop::Implies(a, b) => {
                [a, b].into_iter().for_each(|prop| self.add_compared_with_more(found, prop));
            }
            _ => {}
        }
    }

    fn value<'s>(&self, place: &Place, state: &'s [Typed]) -> &'s Typed {
        let index = self.places.iter().position(|known| known == place);
        &state[index.expect("every place of the test is observed")]
    }

    fn holds(&self, prop: &Prop, state: &[Typed]) -> bool {
        let equal = |place: &Place, constant: &Constant| {
            *self.value(place, state) == Typed::constant(constant, place.ty())
        };
        match prop {
            Prop::Constant(value) => *value,
            Prop::Equal(place, constant) => equal(place, constant),
            Prop::Same(a, b) => self.value(a, state) == self.value(b, state),
            Prop::ArrayEqual { elements, .. } => {
                elements.iter().all(|(place, constant)| equal(place, constant))
            }
            Prop::Not(prop) => !self.holds(prop, state),
            Prop::And(props) => props.iter().all(|prop| self.holds(prop, state)),
            Prop::Or(props) => props.iter().any(|prop| self.holds(prop, state)),
            Prop::Implies(a, b) => !self.holds(a, state) || self.holds(b, state),
        }
    }

    /// A state as it is printed: `0:EAX=0; [x]=1;`.
    pub fn print(&self, state: &[Typed]) -> String {
        let describe = |place: &Place| self.describe(self.value(place, state));
        let mut parts = Vec::new();
        for item in &self.test.observed {
            parts.push(match item {
                Observed::Single(place) => format!("{place}={};", describe(place)),
                Observed::Array { name, elements } => {
                    let values: Vec<String> = elements.iter().map(describe).collect();
                    format!("{name}={{{}}};", values.join(","))
                }
            });
        }
        parts.join(" ")
    }

    fn describe(&self, value: &Typed) -> String {
        match value {
            Typed::Symbolic => "S".to_string(),
            Typed::Number(number) => number.to_string(),
            Typed::Address(global, offset) => {
                let name = &self.test.program.globals[*global].name;
                if *offset == 0 { name.clone() } else { format!("{name}{offset:+}") }
            }
        }
    }
}

fn add(places: &mut Vec<Place>, place: &Place) {
    if !places.contains(place) {
        places.push(place.clone());
    }
}

fn add_places(places: &mut Vec<Place>, prop: &Prop) {
    match prop {
        Prop::Constant(_) => {}
        Prop::Equal(place, _) => add(places, place),
        Prop::Same(a, b) => {
            add(places, a);
            add(places, b);
        }
        Prop::ArrayEqual { elements, .. } => {
            elements.iter().for_each(|(place, _)| add(places, place));
        }
        Prop::Not(prop) => add_places(places, prop),
        Prop::And(props) | Prop::Or(props) => {
            props.iter().for_each(|prop| add_places(places, prop));
        }
        Prop::Implies(a, b) => {
            add_places(places, a);
            add_places(places, b);
        }
    }
}
