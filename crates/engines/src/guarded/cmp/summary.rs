//! What witnesses can do, once for all abstract states that agree in the variables of no member.
//!
//! With one tracked member, lemmas about a witness do not speak of the tracked one, so that the
//! steps of witnesses depend on its cells only where code reads them. These cells are chosen like
//! those of witnesses; the steps apply to a state that has what was chosen.

use super::step::{Code, Outcome, Partial, Stepper, Strengthening};
use guarded::reduction::{Reduction, UNKNOWN};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A step of witnesses.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Branch {
    /// The rule, by variant and position.
    pub visible: u8,
    pub position: u32,
    /// What it leads to.
    pub outcome: Outcome,
    /// The positions in an abstract state, and the codes there, that it needs.
    needs: Vec<(u32, u16)>,
}

impl Branch {
    /// Whether it is a step from this state, which has the variables of no member.
    pub fn applies(&self, state: &[u16]) -> bool {
        self.needs.iter().all(|(position, code)| state[*position as usize] == *code)
    }
}

/// The steps of witnesses, by the variables of no member.
pub struct Summaries<'r> {
    reduction: &'r Reduction,
    /// Whether they are exact for the model.
    pub is_used: bool,
    /// The positions in an abstract state of variables of no member, and of the others.
    shared: Vec<usize>,
    own: Vec<usize>,
    known: FxHashMap<Box<[u16]>, Rc<Vec<Branch>>>,
}

impl<'r> Summaries<'r> {
    /// No steps so far.
    pub fn new(reduction: &'r Reduction) -> Self {
        let cells = &reduction.layout.cells;
        let holds_members = cells.iter().any(|cell| cell.is_pointer() && !cell.members.is_empty());
        let (shared, own) =
            (0..reduction.kept.len()).partition(|at| cells[reduction.kept[*at]].members.is_empty());
        let is_used = reduction.tracked == 1 && !holds_members;
        Self { reduction, is_used, shared, own, known: FxHashMap::default() }
    }

    /// The steps from a state.
    pub fn of(
        &mut self,
        stepper: &mut Stepper<'r>,
        state: &[u16],
        strengthening: &mut dyn Strengthening,
    ) -> Rc<Vec<Branch>> {
        let key: Box<[u16]> = self.shared.iter().map(|at| state[*at]).collect();
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let mut open = state.to_vec();
        self.own.iter().for_each(|at| open[*at] = UNKNOWN);
        let mut branches = FxHashSet::default();
        for (visible, variant) in self.reduction.variants.iter().enumerate() {
            for position in variant.rules.iter().filter(|at| variant.of_witnesses[**at]) {
                let rule = &variant.instances.rules[*position];
                let mut heard = |_: &mut dyn Strengthening, partial: &Partial, outcome| {
                    let code = |at: &usize| partial.codes[self.reduction.kept[*at]];
                    let needs = self.own.iter().filter(|at| code(at) != UNKNOWN);
                    let needs = needs.map(|at| (*at as u32, code(at))).collect();
                    let (visible, position) = (visible as u8, *position as u32);
                    branches.insert(Branch { visible, position, outcome, needs });
                    Ok(())
                };
                let from = stepper.open(&open, visible);
                let ended = stepper.steps(from, Code::Rule(rule), strengthening, &mut heard);
                ended.expect("outcomes do not end the steps");
            }
        }
        let mut branches: Vec<Branch> = branches.into_iter().collect();
        branches.sort_by_key(|branch| (branch.visible, branch.position));
        let branches = Rc::new(branches);
        self.known.insert(key, branches.clone());
        branches
    }
}
