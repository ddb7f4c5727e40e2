//! Threads that wait in loops.
//!
//! A loop that waits comes back to the same view, if no other thread does anything: it is a cycle of
//! steps of one thread that change nothing others know. Two kinds matter. Where a thread holds a lock
//! in such a cycle, the threads that wait for that lock then wait for what the loop waits for, which
//! the order of the locks does not show. And where all steps of a thread stay in such cycles, it waits
//! for other threads; unless all that it reads there are locks that others hold, nothing says whether
//! it waits for ever. A cycle that is found may be harmless: then it is not known whether there is a
//! deadlock.

use ir::program::LocId;

/// A step of a running thread after which others know what they knew before. Nodes are views, or one
/// of the two threads of a pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stay {
    pub from: u32,
    pub to: u32,
    pub place: Option<LocId>,
    /// Whether the thread holds a lock before and after it.
    pub holds: bool,
    /// Whether all that it reads and others may change are locks that others hold.
    pub on_lock: bool,
}

/// The steps of threads that may be parts of loops.
#[derive(Debug, Default)]
pub(super) struct Loops {
    stays: Vec<Stay>,
    /// Whether a node has a step that is none of these.
    leaves: Vec<bool>,
}

impl Loops {
    pub fn stay(&mut self, stay: Stay) {
        self.stays.push(stay);
    }

    /// A thread can change what others know, or end its operation.
    pub fn leave(&mut self, from: u32) {
        let from = from as usize;
        if self.leaves.len() <= from {
            self.leaves.resize(from + 1, false);
        }
        self.leaves[from] = true;
    }

    /// The place of a step on a cycle of a thread that holds a lock, if there is any.
    pub fn under_lock(&self) -> Option<Option<LocId>> {
        let steps: Vec<&Stay> = self.stays.iter().filter(|stay| stay.holds).collect();
        let left = after_cycles(self.nodes(), &steps);
        let is_left = |step: &&&Stay| left[step.from as usize] && left[step.to as usize];
        steps.iter().find(is_left).map(|step| step.place)
    }

    /// The place where a thread waits for what is not known to be a lock, if there is any.
    pub fn for_others(&self) -> Option<Option<LocId>> {
        let caught = self.caught();
        let is_caught = |step: &&Stay| caught[step.from as usize] && caught[step.to as usize];
        let steps: Vec<&Stay> = self.stays.iter().filter(is_caught).collect();
        let left = after_cycles(self.nodes(), &steps);
        let is_left = |step: &&&Stay| left[step.from as usize] && !step.on_lock;
        steps.iter().find(is_left).map(|step| step.place)
    }

    fn nodes(&self) -> usize {
        let stays = self.stays.iter().map(|stay| stay.from.max(stay.to) as usize + 1);
        stays.max().unwrap_or(0).max(self.leaves.len())
    }

    /// The nodes that no number of own steps leaves: the largest set of nodes with steps that all
    /// lead into the set.
    pub fn caught(&self) -> Vec<bool> {
        let nodes = self.nodes();
        let mut caught = vec![false; nodes];
        for stay in &self.stays {
            caught[stay.from as usize] = true;
        }
        for (node, _) in self.leaves.iter().enumerate().filter(|(_, leaves)| **leaves) {
            caught[node] = false;
        }
        let before = Adjacent::new(nodes, self.stays.iter().map(|stay| (stay.to, stay.from)));
        let mut open: Vec<usize> = (0..nodes).filter(|node| !caught[*node]).collect();
        while let Some(node) = open.pop() {
            for &from in before.of(node) {
                if std::mem::replace(&mut caught[from as usize], false) {
                    open.push(from as usize);
                }
            }
        }
        caught
    }
}

/// The nodes that are on cycles or that cycles lead to.
fn after_cycles(nodes: usize, steps: &[&Stay]) -> Vec<bool> {
    let mut count = vec![0u32; nodes];
    let mut left = vec![false; nodes];
    for step in steps {
        count[step.to as usize] += 1;
        left[step.from as usize] = true;
        left[step.to as usize] = true;
    }
    let after = Adjacent::new(nodes, steps.iter().map(|step| (step.from, step.to)));
    let mut open: Vec<usize> = (0..nodes).filter(|node| left[*node] && count[*node] == 0).collect();
    while let Some(node) = open.pop() {
        left[node] = false;
        for &to in after.of(node) {
            count[to as usize] -= 1;
            if count[to as usize] == 0 {
                open.push(to as usize);
            }
        }
    }
    left
}

/// For each node, the nodes next to it.
struct Adjacent {
    starts: Vec<u32>,
    nodes: Vec<u32>,
}

impl Adjacent {
    fn new(nodes: usize, edges: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0u32; nodes + 1];
        for (from, _) in edges.clone() {
            starts[from as usize + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut all = vec![0; starts[nodes] as usize];
        for (from, to) in edges {
            all[next[from as usize] as usize] = to;
            next[from as usize] += 1;
        }
        Self { starts, nodes: all }
    }

    fn of(&self, node: usize) -> &[u32] {
        &self.nodes[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loops(steps: &[(u32, u32, bool, bool)], leaves: &[u32]) -> Loops {
        let mut loops = Loops::default();
        for &(from, to, holds, on_lock) in steps {
            loops.stay(Stay { from, to, place: None, holds, on_lock });
        }
        leaves.iter().for_each(|node| loops.leave(*node));
        loops
    }

    #[test]
    fn a_thread_waits_where_no_step_of_its_own_leads_out() {
        let twice = [(0, 1, false, false), (1, 2, false, false), (2, 1, false, false)];
        assert!(loops(&twice, &[]).for_others().is_some());
        assert!(loops(&twice, &[2]).for_others().is_none(), "it can leave the loop");
        assert!(loops(&twice[..2], &[]).for_others().is_none(), "there is no loop");
        assert!(loops(&twice, &[]).under_lock().is_none());
        let held = twice.map(|(from, to, _, on_lock)| (from, to, true, on_lock));
        assert!(loops(&held, &[2]).under_lock().is_some());
    }

    #[test]
    fn waiting_for_a_lock_counts_once_it_is_on_the_cycle_alone() {
        let spins = [(0, 1, false, false), (1, 1, false, true)];
        assert!(loops(&spins, &[]).for_others().is_none());
        let reads = [(0, 1, false, true), (1, 0, false, false)];
        assert!(loops(&reads, &[]).for_others().is_some());
    }
}
