//! Models as relational algebra: a shared, acyclic graph of terms over the base vocabulary.
//!
//! A cat file is a program in a small functional language; running it once (see
//! [`elaborate`](crate::elaborate)) leaves nothing but sets and relations built from base words
//! by the operators below, and a list of checks. Equal terms are stored once, and a term's
//! operands always have smaller ids, so evaluating ids in order is evaluating bottom-up.

use execution::id;
use execution::ids::{Id, IdVec};
use execution::relation::{EventSet, Relation};
use std::collections::HashMap;
use std::sync::Arc;

pub use crate::vocabulary::Sort;

id! {
    /// A term.
    pub struct TermId("t");
}

id! {
    /// A group of mutually recursive definitions.
    pub struct GroupId("g");
}

/// A set or relation in terms of others. Where an operator exists for sets and for relations,
/// its operands and result have the same sort.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// Nothing.
    Empty(Sort),
    /// All events.
    Universe,
    /// The identity relation.
    Identity,
    /// A word of the vocabulary that the execution provides, or a derived word that is computed
    /// from the events themselves (`loc`, `int`, `ext`, `same-instr`).
    Base(Arc<str>, Sort),
    /// A given set.
    Events(EventSet),
    /// A given relation.
    Pairs(Relation),
    /// `a | b`
    Union(TermId, TermId),
    /// `a & b`
    Intersection(TermId, TermId),
    /// `a \ b`
    Difference(TermId, TermId),
    /// `~a`
    Complement(TermId),
    /// `S * T`
    Product(TermId, TermId),
    /// `[S]`
    IdentityOn(TermId),
    /// `[S]; r`
    RestrictDomain(TermId, TermId),
    /// `r; [S]`
    RestrictRange(TermId, TermId),
    /// `r; s`
    Sequence(TermId, TermId),
    /// `r^-1`
    Inverse(TermId),
    /// `r?`
    Optional(TermId),
    /// `r+`
    Plus(TermId),
    /// `domain(r)`
    Domain(TermId),
    /// `range(r)`
    Range(TermId),
    /// The pairs of `r` whose events have different values.
    DifferentValues(TermId),
    /// A recursive name inside the bodies of its group.
    Variable(GroupId, usize),
    /// A recursive name outside: this component of the group's least fixpoint.
    Fixpoint(GroupId, usize),
}

/// What a term's value depends on besides the events, program order and dependencies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Dependence {
    /// The choice of reads-from.
    pub rf: bool,
    /// The choice of coherence.
    pub co: bool,
    /// The values of events.
    pub values: bool,
}

impl Dependence {
    const RF: Dependence = Dependence { rf: true, co: false, values: false };
    const CO: Dependence = Dependence { rf: false, co: true, values: false };
    const VALUES: Dependence = Dependence { rf: false, co: false, values: true };

    /// Whether no choice matters.
    pub fn is_static(self) -> bool {
        self == Self::default()
    }

    fn or(self, other: Self) -> Self {
        Self {
            rf: self.rf || other.rf,
            co: self.co || other.co,
            values: self.values || other.values,
        }
    }
}

/// A term and what is known about it.
#[derive(Clone, Debug)]
pub struct Node {
    /// The term.
    pub term: Term,
    /// Set or relation.
    pub sort: Sort,
    /// What its value depends on.
    pub dependence: Dependence,
    /// The groups whose variables occur in it, in order; empty for a closed term.
    pub open: Vec<GroupId>,
}

impl Node {
    /// Whether the term is closed and its value follows from the program alone.
    pub fn is_fixed(&self) -> bool {
        self.open.is_empty() && self.dependence.is_static()
    }

    /// Whether the term is closed and its value depends on reads-from or coherence.
    pub fn is_chosen(&self) -> bool {
        self.open.is_empty() && !self.dependence.is_static()
    }
}

/// Mutually recursive definitions.
#[derive(Clone, Debug)]
pub struct Group {
    /// The bodies, which speak of the group's [`Term::Variable`]s.
    pub bodies: Vec<TermId>,
    /// The sort of each.
    pub sorts: Vec<Sort>,
    /// Definitions of the form `x = x | …` that only grow while the others are recomputed; all
    /// false for an ordinary (monotone) group. See [`crate::monotone`].
    pub inflationary: Vec<bool>,
    /// The terms that must be recomputed in each round, in order.
    pub rounds: Vec<TermId>,
    /// The variables.
    pub variables: Vec<TermId>,
    /// Whether the bodies speak of a group around this one.
    pub open: bool,
}

/// All terms of one model.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    nodes: IdVec<TermId, Node>,
    groups: IdVec<GroupId, Group>,
    index: HashMap<Term, TermId>,
}

impl Terms {
    /// A term's node.
    pub fn node(&self, id: TermId) -> &Node {
        &self.nodes[id]
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A group.
    pub fn group(&self, id: GroupId) -> &Group {
        &self.groups[id]
    }

    /// Whether some term is as asked.
    pub fn any(&self, wanted: impl Fn(&Term) -> bool) -> bool {
        self.nodes.iter().any(|node| wanted(&node.term))
    }

    /// All groups.
    pub fn groups(&self) -> impl Iterator<Item = &Group> {
        self.groups.iter()
    }

    /// How many groups there are.
    pub fn group_count(&self) -> usize {
        self.groups.len()
    }

    /// The variable of a group's definition.
    pub fn variable(&self, group: GroupId, index: usize) -> TermId {
        self.groups[group].variables[index]
    }

    /// The sort of a term.
    pub fn sort(&self, id: TermId) -> Sort {
        self.nodes[id].sort
    }

    /// Opens a group of recursive definitions and returns its variables.
    pub fn open_group(&mut self, sorts: Vec<Sort>) -> (GroupId, Vec<TermId>) {
        let count = sorts.len();
        let group = self.groups.push(Group {
            bodies: Vec::new(),
            inflationary: vec![false; count],
            sorts,
            rounds: Vec::new(),
            variables: Vec::new(),
            open: false,
        });
        let variables: Vec<_> = (0..count).map(|i| self.add(Term::Variable(group, i))).collect();
        self.groups[group].variables.clone_from(&variables);
        (group, variables)
    }

    /// Closes a group and returns its fixpoints, one per definition.
    pub fn close_group(&mut self, group: GroupId, bodies: Vec<TermId>) -> Vec<TermId> {
        let mut rounds = self.reachable(&bodies);
        // Terms that also speak of a group inside this one are recomputed by that group.
        rounds.retain(|&id| self.nodes[id].open.last() == Some(&group));
        let count = bodies.len();
        let around = |&body: &TermId| self.nodes[body].open.iter().any(|&g| g != group);
        self.groups[group].open = bodies.iter().any(around);
        self.groups[group].bodies = bodies;
        self.groups[group].rounds = rounds;
        (0..count).map(|i| self.add(Term::Fixpoint(group, i))).collect()
    }

    /// Says which definitions of a group grow by inflation.
    pub fn set_inflationary(&mut self, group: GroupId, inflationary: Vec<bool>) {
        self.groups[group].inflationary = inflationary;
    }

    /// The terms that `roots` are made of, themselves included, in order.
    pub fn reachable(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut seen = vec![false; self.nodes.len()];
        let mut stack = roots.to_vec();
        while let Some(id) = stack.pop() {
            if !std::mem::replace(&mut seen[id.index()], true) {
                self.for_each_operand(id, |operand| stack.push(operand));
            }
        }
        self.nodes.ids().filter(|id| seen[id.index()]).collect()
    }

    /// Calls `f` on each operand of a term; those of a fixpoint are its group's bodies.
    pub fn for_each_operand(&self, id: TermId, mut f: impl FnMut(TermId)) {
        match self.nodes[id].term {
            Term::Empty(_)
            | Term::Universe
            | Term::Identity
            | Term::Base(..)
            | Term::Events(_)
            | Term::Pairs(_)
            | Term::Variable(..) => {}
            Term::Complement(a)
            | Term::IdentityOn(a)
            | Term::Inverse(a)
            | Term::Optional(a)
            | Term::Plus(a)
            | Term::Domain(a)
            | Term::Range(a)
            | Term::DifferentValues(a) => f(a),
            Term::Union(a, b)
            | Term::Intersection(a, b)
            | Term::Difference(a, b)
            | Term::Product(a, b)
            | Term::RestrictDomain(a, b)
            | Term::RestrictRange(a, b)
            | Term::Sequence(a, b) => {
                f(a);
                f(b);
            }
            Term::Fixpoint(group, _) => self.groups[group].bodies.iter().copied().for_each(f),
        }
    }

    /// The id of `term`, which is added if it is new. Use the operators below where there is one.
    pub fn add(&mut self, term: Term) -> TermId {
        if let Some(&id) = self.index.get(&term) {
            return id;
        }
        let sort = self.sort_of(&term);
        let own = match &term {
            Term::Base(name, _) if &**name == "rf" => Dependence::RF,
            Term::Base(name, _) if &**name == "co" => Dependence::CO,
            Term::DifferentValues(_) => Dependence::VALUES,
            _ => Dependence::default(),
        };
        let id = self.nodes.push(Node { term: term.clone(), sort, dependence: own, open: vec![] });
        let mut dependence = own;
        let mut open = Vec::new();
        self.for_each_operand(id, |operand| {
            let node = &self.nodes[operand];
            dependence = dependence.or(node.dependence);
            open.extend(&node.open);
        });
        match term {
            Term::Variable(group, _) => open.push(group),
            Term::Fixpoint(group, _) => open.retain(|&g| g != group),
            _ => {}
        }
        open.sort_unstable();
        open.dedup();
        let node = &mut self.nodes[id];
        (node.dependence, node.open) = (dependence, open);
        self.index.insert(term, id);
        id
    }

    fn sort_of(&self, term: &Term) -> Sort {
        match *term {
            Term::Empty(sort) | Term::Base(_, sort) => sort,
            Term::Universe | Term::Events(_) | Term::Domain(_) | Term::Range(_) => Sort::Set,
            Term::Union(a, _)
            | Term::Intersection(a, _)
            | Term::Difference(a, _)
            | Term::Complement(a) => self.sort(a),
            Term::Variable(group, i) | Term::Fixpoint(group, i) => self.groups[group].sorts[i],
            _ => Sort::Relation,
        }
    }
}

/// The operators, with the simplifications that keep terms small and evaluation cheap.
impl Terms {
    /// The empty set or relation.
    pub fn empty(&mut self, sort: Sort) -> TermId {
        self.add(Term::Empty(sort))
    }

    fn is_empty_term(&self, id: TermId) -> bool {
        matches!(self.nodes[id].term, Term::Empty(_))
    }

    /// `a | b`
    pub fn union(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b || self.is_empty_term(b) {
            a
        } else if self.is_empty_term(a) {
            b
        } else {
            self.add(Term::Union(a.min(b), a.max(b)))
        }
    }

    /// `a & b`
    pub fn intersection(&mut self, a: TermId, b: TermId) -> TermId {
        let whole = |id: TermId| matches!(self.nodes[id].term, Term::Universe);
        if a == b || self.is_empty_term(a) || whole(b) {
            return a;
        }
        if self.is_empty_term(b) || whole(a) {
            return b;
        }
        match (&self.nodes[a].term, &self.nodes[b].term) {
            (_, &Term::Product(s, t)) => {
                let restricted = self.restrict_domain(s, a);
                self.restrict_range(restricted, t)
            }
            (&Term::Product(s, t), _) => {
                let restricted = self.restrict_domain(s, b);
                self.restrict_range(restricted, t)
            }
            _ => self.add(Term::Intersection(a.min(b), a.max(b))),
        }
    }

    /// `a \ b`
    pub fn difference(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.empty(self.sort(a));
        }
        if self.is_empty_term(a) || self.is_empty_term(b) {
            return a;
        }
        self.add(Term::Difference(a, b))
    }

    /// `[S]`
    pub fn identity_on(&mut self, set: TermId) -> TermId {
        match self.nodes[set].term {
            Term::Empty(_) => self.empty(Sort::Relation),
            Term::Universe => self.add(Term::Identity),
            _ => self.add(Term::IdentityOn(set)),
        }
    }

    /// `S * T`
    pub fn product(&mut self, a: TermId, b: TermId) -> TermId {
        if self.is_empty_term(a) || self.is_empty_term(b) {
            return self.empty(Sort::Relation);
        }
        self.add(Term::Product(a, b))
    }

    fn restrict_domain(&mut self, set: TermId, r: TermId) -> TermId {
        match (&self.nodes[set].term, &self.nodes[r].term) {
            (Term::Universe, _) | (_, Term::Empty(_)) => r,
            (Term::Empty(_), _) => self.empty(Sort::Relation),
            (_, &Term::IdentityOn(other)) => {
                let both = self.intersection(set, other);
                self.identity_on(both)
            }
            (_, Term::Identity) => self.identity_on(set),
            _ => self.add(Term::RestrictDomain(set, r)),
        }
    }

    fn restrict_range(&mut self, r: TermId, set: TermId) -> TermId {
        match (&self.nodes[set].term, &self.nodes[r].term) {
            (Term::Universe, _) | (_, Term::Empty(_)) => r,
            (Term::Empty(_), _) => self.empty(Sort::Relation),
            _ => self.add(Term::RestrictRange(r, set)),
        }
    }

    /// `r; s`
    pub fn sequence(&mut self, r: TermId, s: TermId) -> TermId {
        match (&self.nodes[r].term, &self.nodes[s].term) {
            (Term::Identity, _) | (_, Term::Empty(_)) => s,
            (_, Term::Identity) | (Term::Empty(_), _) => r,
            (&Term::IdentityOn(set), _) => self.restrict_domain(set, s),
            (_, &Term::IdentityOn(set)) => self.restrict_range(r, set),
            _ => self.add(Term::Sequence(r, s)),
        }
    }

    /// `r^-1`
    pub fn inverse(&mut self, r: TermId) -> TermId {
        match self.nodes[r].term {
            Term::Empty(_) | Term::Identity | Term::IdentityOn(_) => r,
            Term::Inverse(inner) => inner,
            _ => self.add(Term::Inverse(r)),
        }
    }

    /// `r?`
    pub fn optional(&mut self, r: TermId) -> TermId {
        match self.nodes[r].term {
            Term::Empty(_) | Term::Identity | Term::IdentityOn(_) => self.add(Term::Identity),
            Term::Optional(_) => r,
            _ => self.add(Term::Optional(r)),
        }
    }

    /// `r+`
    pub fn plus(&mut self, r: TermId) -> TermId {
        match self.nodes[r].term {
            Term::Empty(_) | Term::Identity | Term::IdentityOn(_) | Term::Plus(_) => r,
            _ => self.add(Term::Plus(r)),
        }
    }

    /// `r*`
    pub fn star(&mut self, r: TermId) -> TermId {
        let plus = self.plus(r);
        self.optional(plus)
    }

    /// `domain(r)`
    pub fn domain(&mut self, r: TermId) -> TermId {
        match self.nodes[r].term {
            Term::Empty(_) => self.empty(Sort::Set),
            Term::IdentityOn(set) => set,
            _ => self.add(Term::Domain(r)),
        }
    }

    /// `range(r)`
    pub fn range(&mut self, r: TermId) -> TermId {
        match self.nodes[r].term {
            Term::Empty(_) => self.empty(Sort::Set),
            Term::IdentityOn(set) => set,
            _ => self.add(Term::Range(r)),
        }
    }

    /// The operands of nested unions.
    pub fn union_operands(&self, id: TermId) -> Vec<TermId> {
        let mut operands = Vec::new();
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            match self.nodes[id].term {
                Term::Union(a, b) => stack.extend([b, a]),
                _ => operands.push(id),
            }
        }
        operands
    }
}
