//! What reads may return where accesses are in parts: each part what a write that covers it may have
//! written there.

use super::analysis::{Pass, Written};
use super::evaluate;
use super::places::{self, Addresses, Initial};
use super::set::Set;
use ir::program::Width;
use ir::value::Value;

impl Pass<'_> {
    /// What a read may return, given what is known of the writes so far.
    pub(super) fn read_in_parts(&mut self, number: usize, writes: &[Written]) -> Set {
        let read = &self.flow.reads[number];
        let whole = read.access.width;
        let places = self.places(read.access, false);
        let mut result = Set::empty();
        match &places.right {
            Addresses::These(list) => {
                let width = self.bounded.parts.width(read.action, whole);
                let bytes = || (0..whole.bytes()).step_by(width.bytes() as usize);
                for &address in list {
                    let part = |byte| (byte, self.held(number, writes, address + byte, width));
                    let parts: Vec<(u64, Set)> = bytes().map(part).collect();
                    let value = match parts.as_slice() {
                        [(_, value)] => value.clone(),
                        parts => evaluate::together(parts, whole, self.limits),
                    };
                    result = result.union(&value, self.limits.values);
                }
            }
            Addresses::Within(regions) if !regions.is_empty() => {
                result = Set::Many(places::anything(self.bounded, whole));
            }
            Addresses::Within(_) => {}
        }
        // Sets only grow, whatever the limits turned into shapes.
        result.union(&self.sets[read.term], self.limits.values)
    }

    /// What a read may find in a part of memory.
    fn held(&self, read: usize, writes: &[Written], address: u64, width: Width) -> Set {
        let mut found = Set::empty();
        let mut add = |set: &Set| found = found.union(set, self.limits.values);
        let anything = || Set::Many(places::anything(self.bounded, width));
        let end = address + width.bytes();
        for &write in &self.flow.reads[read].candidates {
            let bytes = writes[write].places.width.bytes();
            let list = match &writes[write].places.right {
                Addresses::These(list) => list,
                Addresses::Within(regions) => {
                    let region = self.bounded.region_at(address);
                    if region.is_some_and(|region| regions.contains(&region)) {
                        add(&anything());
                    }
                    continue;
                }
            };
            let first = list.partition_point(|&at| at + bytes <= address);
            for &at in list[first..].iter().take_while(|&&at| at < end) {
                match at <= address && end <= at + bytes {
                    true => {
                        let value = &self.sets[self.flow.writes[write].value];
                        add(&match bytes == width.bytes() {
                            true => value.clone(),
                            false => evaluate::part(value, address - at, width, self.limits),
                        });
                    }
                    // It will have to be divided further.
                    false => add(&anything()),
                }
            }
        }
        let initial = match self.bounded.parts.initial(address, width) {
            Some(term) => Initial::Term(term),
            None => places::initial(self.bounded, address, width),
        };
        match initial {
            Initial::Term(term) => add(&self.sets[term]),
            Initial::Value(value) => add(&Set::one(value)),
            Initial::Mixed(shape) => add(&Set::Many(shape)),
        }
        // What is read from an object that is gone is nothing defined.
        if self.may_be_gone(address) {
            add(&Set::one(Value::undef(width)));
        }
        if self.may_be_zeroed(address) {
            add(&Set::one(Value::int(width, 0)));
        }
        found
    }
}
