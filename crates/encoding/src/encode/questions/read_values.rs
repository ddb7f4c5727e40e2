//! Which values reads have in executions: what is shown of early reads makes it easier to show what
//! late ones cannot do.

use super::findings::side_by_side;
use crate::bounded::{ActionKind, Input};
use crate::encode::Encoding;
use crate::term::TermId;
use execution::event::ThreadId;
use ir::value::Value;
use sat::Lit;
use std::collections::BTreeSet;

/// A read whose values can be listed.
pub struct ListedRead {
    /// What it returns.
    term: TermId,
    /// Whether it takes place.
    exec: Lit,
    /// The values that it may have.
    values: Vec<Value>,
}

impl Encoding<'_> {
    /// The reads of these threads of which several values can be listed, from the starts of the
    /// threads to their ends.
    pub fn listed_reads(&self, threads: &BTreeSet<ThreadId>) -> Vec<ListedRead> {
        let own = |&thread: &ThreadId| -> Vec<ListedRead> {
            let actions = self.bounded.threads[thread].actions.iter();
            actions
                .filter_map(|&id| {
                    let ActionKind::Read { into, .. } = self.bounded.actions[id].kind else {
                        return None;
                    };
                    debug_assert!(matches!(self.bounded.inputs[into], Input::Read(_)));
                    let term = self.bounded.terms.input_term(into);
                    let values = self.values.elements(term)?;
                    let exec = self.lives.exec[id];
                    (values.len() > 1).then_some(ListedRead { term, exec, values })
                })
                .collect()
        };
        side_by_side(threads.iter().map(own).collect())
    }

    /// After a solution: the number of the value that a read has among those that are listed, if it
    /// takes place.
    pub fn read_value(&self, read: &ListedRead) -> Option<usize> {
        if !self.formula.value(read.exec) {
            return None;
        }
        let value = self.values.decode(&self.formula, read.term);
        let same = |other: &Value| (other.bits, other.undef) == (value.bits, value.undef);
        read.values.iter().position(same)
    }

    /// A literal that is true iff a read takes place and has none of these values.
    pub fn has_another_value(&mut self, read: &ListedRead, seen: &BTreeSet<usize>) -> Lit {
        let others = read.values.iter().enumerate().filter(|(number, _)| !seen.contains(number));
        let values: Vec<Value> = others.map(|(_, value)| *value).collect();
        let each: Vec<Lit> = values
            .iter()
            .map(|value| self.values.is(&mut self.formula, read.term, value))
            .collect();
        let other = self.formula.or(&each);
        self.formula.and(&[read.exec, other])
    }
}
