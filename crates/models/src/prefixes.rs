//! Whether every part of an allowed execution is allowed: what engines need that let executions grow
//! event by event.
//!
//! A *part* is a set of events that contains what is before each of them by program order and
//! reads-from. (It is about executions in which no access is divided and no atomic section has more
//! than one.) A term is *bounded* if its value on a part has no pair that its value on the whole has
//! not; it is *exact* if it has all that are between events of the part, too. An axiom (acyclic,
//! irreflexive or empty, not negated) on a bounded term holds on each part if it holds on the whole.
//! - What the execution gives is exact.
//! - `r; s` is exact if both are and what is in the middle is before one of the ends: if `s` leads
//!   along program order and reads-from, or `r` against them.
//! - `a \ b` is bounded if `a` is and `b` is exact.
//! - All other operators keep what their operands have; a fixpoint is bounded if its bodies are.

use crate::algebra::{GroupId, Term, TermId, Terms};
use crate::ast::Test;
use crate::model::{Axiom, Compiled};
use execution::ids::Id;

/// What is known of a term.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Class {
    bounded: bool,
    exact: bool,
    /// Each pair leads along program order and reads-from.
    forward: bool,
    /// Each pair leads against them.
    backward: bool,
}

impl Class {
    const ALL: Class = Class { bounded: true, exact: true, forward: true, backward: true };
    const NONE: Class = Class { bounded: false, exact: false, forward: false, backward: false };
    const GIVEN: Class = Class { forward: false, backward: false, ..Class::ALL };

    fn both(self, other: Class) -> Class {
        Class {
            bounded: self.bounded && other.bounded,
            exact: self.exact && other.exact,
            forward: self.forward && other.forward,
            backward: self.backward && other.backward,
        }
    }

    fn towards(self, directed: Class) -> Class {
        Class { forward: directed.forward, backward: directed.backward, ..self }
    }
}

/// Relations between an event and one that is later in program order, or reads from it.
const FORWARD: [&str; 8] = ["po", "rf", "rmw", "amo", "addr", "data", "ctrl", "lxsx"];

/// Relations between the parts of an access or of an atomic section, of which there are none here.
const NEVER: [&str; 2] = ["same-access", "same-atomic"];

/// Whether all axioms hold on each part of an execution on which they hold.
pub(crate) fn are_closed(compiled: &Compiled) -> bool {
    let [world] = compiled.worlds.as_slice() else { return false };
    let terms = &compiled.terms;
    let mut classes = vec![Class::NONE; terms.len()];
    // What the bodies of fixpoints have is assumed of their variables, and taken back if it is not so.
    let mut groups: Vec<Vec<Class>> = terms
        .groups()
        .map(|group| {
            let grows = group.inflationary.contains(&true);
            let assumed = if grows { Class::NONE } else { Class { exact: false, ..Class::ALL } };
            vec![assumed; group.bodies.len()]
        })
        .collect();
    loop {
        for index in 0..terms.len() {
            classes[index] = class(terms, &classes, &groups, TermId::new(index));
        }
        let mut changed = false;
        for (index, known) in groups.iter_mut().enumerate() {
            for (known, body) in known.iter_mut().zip(&terms.group(GroupId::new(index)).bodies) {
                let weaker = known.both(classes[body.index()]);
                changed |= weaker != *known;
                *known = weaker;
            }
        }
        if !changed {
            break;
        }
    }
    let holds = |axiom: &Axiom| !axiom.negated && classes[axiom.term.index()].bounded;
    world.axioms.iter().all(holds) && world.axioms.iter().any(|axiom| axiom.test == Test::Acyclic)
}

fn class(terms: &Terms, classes: &[Class], groups: &[Vec<Class>], id: TermId) -> Class {
    let of = |id: TermId| classes[id.index()];
    match terms.node(id).term {
        Term::Empty(_) | Term::Identity => Class::ALL,
        Term::Universe => Class::GIVEN,
        Term::Base(ref name, _) if NEVER.contains(&&**name) => Class::ALL,
        Term::Base(ref name, _) => Class { forward: FORWARD.contains(&&**name), ..Class::GIVEN },
        Term::Events(_) | Term::Pairs(_) => Class::NONE,
        Term::Union(a, b) => of(a).both(of(b)),
        Term::Intersection(a, b) => {
            let (a, b) = (of(a), of(b));
            let (forward, backward) = (a.forward || b.forward, a.backward || b.backward);
            Class { forward, backward, ..a.both(b) }
        }
        Term::Difference(a, b) => {
            let (a, b) = (of(a), of(b));
            Class { bounded: a.bounded && b.exact, exact: a.exact && b.exact, ..a }
        }
        Term::Complement(a) => {
            let exact = of(a).exact;
            Class { bounded: exact, exact, ..Class::NONE }
        }
        Term::Product(a, b) => of(a).both(of(b)).towards(Class::NONE),
        Term::IdentityOn(s) => of(s).towards(Class::ALL),
        Term::RestrictDomain(s, r) | Term::RestrictRange(r, s) => of(r).both(of(s)).towards(of(r)),
        Term::Sequence(r, s) => {
            let (r, s) = (of(r), of(s));
            let both = r.both(s);
            Class { exact: both.exact && (s.forward || r.backward), ..both }
        }
        Term::Inverse(r) => {
            let r = of(r);
            Class { forward: r.backward, backward: r.forward, ..r }
        }
        Term::Optional(r) => of(r),
        Term::Plus(r) => {
            let r = of(r);
            Class { exact: r.exact && (r.forward || r.backward), ..r }
        }
        Term::Domain(r) => {
            Class { exact: of(r).exact && of(r).backward, ..of(r) }.towards(Class::NONE)
        }
        Term::Range(r) => {
            Class { exact: of(r).exact && of(r).forward, ..of(r) }.towards(Class::NONE)
        }
        Term::DifferentValues(r) => of(r),
        Term::Variable(group, index) | Term::Fixpoint(group, index) => groups[group.index()][index],
    }
}

#[cfg(test)]
mod tests {
    use crate::Model;

    fn closed(text: &str) -> bool {
        let model = Model::from_text("test", text).expect("a correct model");
        model.is_closed_under_parts()
    }

    #[test]
    fn models_that_only_forbid_what_grows_are_closed() {
        for name in ["sc", "tso", "pso", "rc11"] {
            let model = Model::named(name).expect("a model of the library");
            assert!(model.is_closed_under_parts(), "{name}");
        }
        assert!(closed("acyclic po | rf | co | (rf^-1; co)"));
        assert!(closed("acyclic (po \\ (W * R)) | rf | co"));
        assert!(closed("acyclic po \\ (po; [F]; po)"), "the fence is before the end");
        assert!(closed("acyclic po \\ (po^-1; [F]; po)"), "the fence is before both");
    }

    #[test]
    fn what_more_events_may_justify_is_not() {
        assert!(!closed("empty [W] \\ (rf; rf^-1)"), "a later read justifies the write");
        assert!(!closed("acyclic po | rf\n~empty co"));
        assert!(closed("acyclic po \\ (co; rf)"), "what is read is before the read");
        assert!(!closed("acyclic po \\ (co; co)"), "a write that may be left out");
        assert!(!closed("acyclic po \\ (po; [F]; po^-1)"), "a fence that may be left out");
    }
}
