//! Lemmas that a user wrote, as strengthening: what is known of a witness must not make one false.
//!
//! A lemma is an invariant of the model that is executed. It is assumed of witnesses (here), and
//! checked in each abstract state, together with the other invariants ([`super::explore`]).

use super::step::{Partial, Strengthening, load};
use guarded::code::Expr;
use guarded::fault::{Fault, FaultKind};
use guarded::machine::{Knowledge, Machine};
use guarded::model::PropertyId;
use guarded::reduction::Reduction;

/// What is known of a condition while some values are not chosen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Truth {
    True,
    False,
    /// It cannot be evaluated: a lemma is never like this.
    Fails,
    Open,
}

/// A part of a lemma that must be true by itself.
struct Part<'r> {
    frame: u32,
    slots: &'r [(u32, i64)],
    condition: &'r Expr,
}

/// Written lemmas.
pub struct Written<'r> {
    reduction: &'r Reduction,
    machines: Vec<Machine<'r>>,
    /// For each number of witnesses.
    parts: Vec<Vec<Part<'r>>>,
}

impl<'r> Written<'r> {
    /// These invariants of the model as lemmas.
    pub fn new(reduction: &'r Reduction, lemmas: &[PropertyId]) -> Self {
        let machine = |variant: &'r guarded::reduction::Variant| {
            let mut machine = Machine::new(&variant.model);
            machine.known = vec![Knowledge::Value; reduction.layout.cells.len()];
            machine
        };
        let parts = |variant: &'r guarded::reduction::Variant| {
            let claims = variant.instances.claims.iter();
            let claims = claims.filter(|claim| lemmas.contains(&claim.property));
            let mut parts = Vec::new();
            for claim in claims {
                let conditions = match &claim.condition {
                    Expr::All(all) => all.as_slice(),
                    one => std::slice::from_ref(one),
                };
                let part = |condition| Part { frame: claim.frame, slots: &claim.slots, condition };
                parts.extend(conditions.iter().map(part));
            }
            parts
        };
        let machines = reduction.variants.iter().map(machine).collect();
        let parts = reduction.variants.iter().map(parts).collect();
        Self { reduction, machines, parts }
    }
}

impl Strengthening for Written<'_> {
    fn allows(&mut self, partial: &Partial, _: usize) -> bool {
        let machine = &mut self.machines[partial.visible];
        load(self.reduction, machine, partial);
        self.parts[partial.visible].iter().all(|part| {
            machine.enter(part.frame, part.slots);
            !matches!(truth(machine, part.condition), Truth::False | Truth::Fails)
        })
    }

    fn reached(&mut self, _: &[u16]) -> bool {
        true
    }
}

fn truth(machine: &mut Machine<'_>, expr: &Expr) -> Truth {
    match expr {
        Expr::All(parts) => junction(machine, parts, Truth::False),
        Expr::Any(parts) => junction(machine, parts, Truth::True),
        Expr::Not(inner) => match truth(machine, inner) {
            Truth::True => Truth::False,
            Truth::False => Truth::True,
            other => other,
        },
        leaf => match machine.truth(leaf) {
            Ok(true) => Truth::True,
            Ok(false) => Truth::False,
            Err(Fault { kind: FaultKind::Unchosen, .. }) => Truth::Open,
            Err(_) => Truth::Fails,
        },
    }
}

/// Parts that are evaluated up to the first that decides.
fn junction(machine: &mut Machine<'_>, parts: &[Expr], decides: Truth) -> Truth {
    let mut is_open = false;
    for part in parts {
        match truth(machine, part) {
            Truth::Open => is_open = true,
            // Whether it is evaluated is open.
            Truth::Fails if is_open => return Truth::Open,
            Truth::Fails => return Truth::Fails,
            found if found == decides => return found,
            _ => {}
        }
    }
    match (is_open, decides) {
        (true, _) => Truth::Open,
        (false, Truth::False) => Truth::True,
        (false, _) => Truth::False,
    }
}
