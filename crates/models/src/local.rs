//! Which checks are decided by parts of an execution that have a cycle in them.
//!
//! Take the threads of an execution as nodes (the initial writes together as one more), and as
//! edges the pairs of `rf`, `co` and `fr = rf^-1; co` between different ones. What most axioms
//! forbid is a cycle, and a cycle lies within one strongly connected component. So two executions
//! of one skeleton that have the same such pairs *inside components* get the same answer, however
//! the threads that take part in no cycle communicate.
//!
//! That holds for an axiom if the following follows from the operators of its term. A relation
//! leads *forward* if each of its pairs `(a, b)` comes with a path of edges from `a`'s node to
//! `b`'s, and *backward* if with one from `b`'s to `a`'s. It is *local* if, for events of one
//! component, the pairs inside components decide whether it contains them.
//! - What no choice changes is local, and leads both ways if it stays within nodes.
//! - `rf`, `co` and `rf^-1; co` are local and lead forward.
//! - `r; s` is local if both are and both lead the same way: what lies between two events of a
//!   component is then in the component, too. The same holds for `r+`.
//! - Set operators keep what both sides have; `a & b` leads where one of them leads.
//! - A fixpoint has what its bodies have if its variables do, by induction on the iteration.

use crate::algebra::{GroupId, Term, TermId, Terms};
use crate::ast::Test;
use crate::live::Live;
use crate::model::{Axiom, Compiled};
use execution::ids::Id;

/// What is known of a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Class {
    local: bool,
    forward: bool,
    backward: bool,
}

impl Class {
    /// Everything: what the empty relation has, and what is assumed of variables at first.
    const ALL: Class = Class { local: true, forward: true, backward: true };

    fn both(self, other: Class) -> Class {
        Class {
            local: self.local && other.local,
            forward: self.forward && other.forward,
            backward: self.backward && other.backward,
        }
    }

    fn directed(self) -> bool {
        self.forward || self.backward
    }

    /// The class of `r; s`.
    fn then(self, other: Class) -> Class {
        let both = self.both(other);
        Class { local: both.local && both.directed(), ..both }
    }
}

/// Whether the answers to these checks are decided inside components. `fixed` says of the closed
/// terms that depend on no choice whether they stay within nodes.
pub(crate) fn decides<'a>(
    compiled: &Compiled,
    live: &Live,
    fixed: impl Fn(TermId) -> Option<bool>,
    mut axioms: impl Iterator<Item = &'a Axiom>,
) -> bool {
    let terms = &compiled.terms;
    let mut analysis = Analysis {
        compiled,
        classes: vec![Class::ALL; terms.len()],
        groups: (0..terms.group_count())
            .map(|index| vec![Class::ALL; terms.group(GroupId::new(index)).bodies.len()])
            .collect(),
    };
    loop {
        for index in 0..terms.len() {
            let id = TermId::new(index);
            analysis.classes[index] = match fixed(id) {
                _ if live.is_empty(id) => Class::ALL,
                Some(within) => Class { local: true, forward: within, backward: within },
                None => analysis.follows(terms, id),
            };
        }
        if !analysis.weaken_groups(terms) {
            break;
        }
    }
    axioms.all(|axiom| analysis.decides(axiom))
}

struct Analysis<'c> {
    compiled: &'c Compiled,
    classes: Vec<Class>,
    /// What is assumed of the variables of each group.
    groups: Vec<Vec<Class>>,
}

impl Analysis<'_> {
    fn of(&self, id: TermId) -> Class {
        self.classes[id.index()]
    }

    /// Takes from the variables what their bodies do not have; whether that changed anything.
    fn weaken_groups(&mut self, terms: &Terms) -> bool {
        let mut changed = false;
        for (index, variables) in self.groups.iter_mut().enumerate() {
            for (variable, body) in
                variables.iter_mut().zip(&terms.group(GroupId::new(index)).bodies)
            {
                let weaker = variable.both(self.classes[body.index()]);
                changed |= weaker != *variable;
                *variable = weaker;
            }
        }
        changed
    }

    fn follows(&self, terms: &Terms, id: TermId) -> Class {
        let unordered = |local: bool| Class { local, forward: false, backward: false };
        match terms.node(id).term {
            Term::Empty(_) | Term::Identity => Class::ALL,
            Term::Base(..) => {
                let chosen = Some(id) == self.compiled.rf || Some(id) == self.compiled.co;
                Class { local: chosen, forward: chosen, backward: false }
            }
            Term::Universe | Term::Events(_) => unordered(true),
            Term::Pairs(_) | Term::DifferentValues(_) => unordered(false),
            Term::Union(a, b) => self.of(a).both(self.of(b)),
            Term::Intersection(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                Class {
                    local: a.local && b.local,
                    forward: a.forward || b.forward,
                    backward: a.backward || b.backward,
                }
            }
            Term::Difference(a, b) => {
                Class { local: self.of(a).local && self.of(b).local, ..self.of(a) }
            }
            Term::Complement(a) => unordered(self.of(a).local),
            Term::Product(s, t) => unordered(self.of(s).local && self.of(t).local),
            Term::IdentityOn(s) => Class { local: self.of(s).local, ..Class::ALL },
            Term::RestrictDomain(s, r) | Term::RestrictRange(r, s) => {
                Class { local: self.of(s).local && self.of(r).local, ..self.of(r) }
            }
            Term::Sequence(a, _) if self.is_from_read(terms, id) => {
                Class { local: self.of(a).local, forward: true, backward: false }
            }
            Term::Sequence(a, b) => self.of(a).then(self.of(b)),
            Term::Inverse(a) => {
                let a = self.of(a);
                Class { local: a.local, forward: a.backward, backward: a.forward }
            }
            Term::Optional(a) => self.of(a),
            Term::Plus(a) => self.of(a).then(self.of(a)),
            Term::Domain(a) | Term::Range(a) => {
                let a = self.of(a);
                unordered(a.local && a.forward && a.backward)
            }
            Term::Variable(group, i) | Term::Fixpoint(group, i) => self.groups[group.index()][i],
        }
    }

    /// Whether a term is `rf^-1; co`.
    fn is_from_read(&self, terms: &Terms, id: TermId) -> bool {
        let Term::Sequence(a, b) = terms.node(id).term else { return false };
        let Term::Inverse(rf) = terms.node(a).term else { return false };
        Some(rf) == self.compiled.rf && Some(b) == self.compiled.co
    }

    fn decides(&self, axiom: &Axiom) -> bool {
        let class = self.of(axiom.term);
        class.local
            && match axiom.test {
                Test::Acyclic => class.directed(),
                Test::Irreflexive => true,
                Test::Empty
                    if self.compiled.terms.sort(axiom.term) == crate::algebra::Sort::Set =>
                {
                    true
                }
                Test::Empty => class.forward && class.backward,
            }
    }
}

#[cfg(test)]
mod tests {
    use crate::Model;
    use execution::event::{Event, EventKind, Execution, ThreadId};
    use execution::ids::Id;
    use execution::relation::Relation;

    /// Two events in each of two threads, in program order and an RMW.
    fn skeleton() -> Execution {
        let mut execution = Execution::default();
        for thread in [0, 0, 1, 1] {
            execution.events.push(Event {
                thread: Some(ThreadId::new(thread)),
                kind: EventKind::Read,
                location: None,
                value: None,
                label: String::new(),
                instruction: 0,
                source: None,
            });
        }
        let mut po = Relation::empty(4);
        po.insert(Id::new(0), Id::new(1));
        po.insert(Id::new(2), Id::new(3));
        execution.relations.insert("rmw".into(), po.clone());
        execution.relations.insert("po".into(), po);
        execution
    }

    fn decided(axiom: &str) -> bool {
        let text = format!("\"test\"\ninclude \"cos.cat\"\n{axiom}\n");
        let model = Model::from_text("test.cat", &text).unwrap();
        let skeleton = skeleton();
        let mut evaluator = model.prepare(&skeleton).unwrap();
        let thread = |event| skeleton.events[event].thread.map_or(0, Id::index);
        evaluator.decides_in_components(thread)
    }

    #[test]
    fn cycles_are_decided_in_components() {
        assert!(decided("acyclic po | rf | co | fr"));
        assert!(decided("irreflexive (po | rf)+; fr"));
        assert!(decided("let rec r = po | rf; r; co | (fr & ext) acyclic r^-1"));
        assert!(decided("empty rmw & (fre; coe)"));
        assert!(decided("empty (po; rf)+ & co^-1"));
        assert!(decided("acyclic (po \\ rf) | fr"));
        assert!(decided("let rec r = po | r; rf^-1; r acyclic r"));
    }

    #[test]
    fn what_does_not_follow_edges_is_not() {
        assert!(!decided("acyclic po | rf^-1; rf"));
        assert!(!decided("empty rf & ext"));
        assert!(!decided("acyclic [domain(rf)]; po"));
        assert!(!decided("acyclic (ext \\ rf) | po"));
        assert!(!decided("let rec r = po | rf | r; rf^-1 acyclic r"));
    }
}
