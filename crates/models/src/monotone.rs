//! Which recursive definitions have a meaning: those that are monotone, or that only grow.
//!
//! A group of definitions is monotone if no definition depends on itself through the right-hand
//! side of a `\` or through `~`; then the least fixpoint exists (Knaster, Tarski) and iteration
//! from the empty relations reaches it. The Linux-kernel model matches RCU critical sections by a
//! definition that is not monotone but *inflationary*: `matched = matched | …`. Such a definition
//! can only grow, so iteration ends too. A group is accepted if it becomes monotone when
//! definitions of that form are taken as given; it is then computed by alternating: the
//! others as a least fixpoint, one step of the growing ones, until nothing changes.

use crate::algebra::{GroupId, Term, TermId, Terms};
use std::collections::HashSet;

/// A term (a difference or complement) through which a definition depends on itself negatively.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotMonotone {
    /// The definition's position in its group.
    pub definition: usize,
    /// The offending term.
    pub at: TermId,
}

/// Which definitions of a group must be taken as growing: none if the group is monotone, else
/// all of the form `x = x | …`; an error if that does not make it monotone.
pub fn inflationary(
    terms: &Terms,
    group: GroupId,
    bodies: &[TermId],
) -> Result<Vec<bool>, NotMonotone> {
    let uses: Vec<Vec<Use>> = bodies.iter().map(|&body| uses(terms, group, body)).collect();
    let none = vec![false; bodies.len()];
    if negative_cycle(&uses, &none).is_none() {
        return Ok(none);
    }
    let grows = |(i, &body): (usize, &TermId)| {
        let is_self = |id: &TermId| terms.node(*id).term == Term::Variable(group, i);
        terms.union_operands(body).iter().any(is_self)
    };
    let growing: Vec<bool> = bodies.iter().enumerate().map(grows).collect();
    match negative_cycle(&uses, &growing) {
        None => Ok(growing),
        Some(found) => Err(found),
    }
}

/// Whether a term only grows when `rf` and `co` do: neither is used below a negation. Then what
/// fails for a part of a choice fails for the whole of it.
pub fn grows_with_choices(terms: &Terms, id: TermId) -> bool {
    let mut seen = HashSet::new();
    let mut stack = vec![(id, true)];
    while let Some((id, positive)) = stack.pop() {
        if terms.node(id).dependence.is_static() || !seen.insert((id, positive)) {
            continue;
        }
        match terms.node(id).term {
            Term::Base(..) if !positive => return false,
            // Values are known only when everything has been chosen.
            Term::DifferentValues(_) => return false,
            Term::Complement(a) => stack.push((a, !positive)),
            Term::Difference(a, b) => stack.extend([(a, positive), (b, !positive)]),
            Term::Fixpoint(group, _) => {
                let group = terms.group(group);
                if group.inflationary.contains(&true) {
                    return false;
                }
                stack.extend(group.bodies.iter().map(|&body| (body, positive)));
            }
            _ => terms.for_each_operand(id, |operand| stack.push((operand, positive))),
        }
    }
    true
}

/// One way in which a body uses a variable of its group.
#[derive(Clone, Copy)]
struct Use {
    variable: usize,
    /// The innermost negation around it, if it is used negatively.
    negation: Option<TermId>,
}

/// How `body` uses the variables of `group`. A variable below two negations is used positively;
/// each (term, polarity) is visited once.
fn uses(terms: &Terms, group: GroupId, body: TermId) -> Vec<Use> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut stack: Vec<(TermId, Option<TermId>)> = vec![(body, None)];
    while let Some((id, negation)) = stack.pop() {
        if !terms.node(id).open.contains(&group) || !seen.insert((id, negation.is_some())) {
            continue;
        }
        let flipped = if negation.is_some() { None } else { Some(id) };
        match terms.node(id).term {
            Term::Variable(g, variable) if g == group => found.push(Use { variable, negation }),
            Term::Complement(a) => stack.push((a, flipped)),
            Term::Difference(a, b) => stack.extend([(a, negation), (b, flipped)]),
            _ => terms.for_each_operand(id, |operand| stack.push((operand, negation))),
        }
    }
    found
}

/// A definition that depends on itself through a negation, not counting the `given` ones.
fn negative_cycle(uses: &[Vec<Use>], given: &[bool]) -> Option<NotMonotone> {
    for (definition, list) in uses.iter().enumerate().filter(|&(i, _)| !given[i]) {
        for found in list {
            if let Some(at) = found.negation
                && reaches(uses, given, found.variable, definition)
            {
                return Some(NotMonotone { definition, at });
            }
        }
    }
    None
}

fn reaches(uses: &[Vec<Use>], given: &[bool], from: usize, to: usize) -> bool {
    let mut seen = vec![false; uses.len()];
    let mut stack = vec![from];
    while let Some(i) = stack.pop() {
        if given[i] || std::mem::replace(&mut seen[i], true) {
            continue;
        }
        if i == to {
            return true;
        }
        stack.extend(uses[i].iter().map(|found| found.variable));
    }
    false
}
