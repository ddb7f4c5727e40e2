//! Instructions that read and write in one step: read-modify-writes, compare-and-swaps of one and of
//! several words, exclusive stores.

use super::memory::{Memory, ResolvedMcasWord};
use super::taint::Taint;
use super::thread::{Code, Thread};
use crate::op::{Inst, McasWord, Op};
use crate::program::LocId;
use crate::value::Value;

impl<T: Taint> Thread<T> {
    /// Instructions that read and write in one step.
    pub(super) fn update<M: Memory<T>>(
        &mut self,
        code: &Code<'_>,
        memory: &mut M,
        inst: &Inst,
    ) -> Result<(), M::Stop> {
        let place = inst.place;
        match &inst.op {
            Op::StoreExclusive { failed, access, value } => {
                let (access, address) = self.resolve(code, memory, place, access)?;
                let stored = self.value(code, memory, place, value)?;
                let depends = self.dependencies(address, self.taint(value));
                let (done, event) =
                    memory.store_exclusive(self.site(code, place), access, stored, depends)?;
                let width = self.width(code, *failed);
                let taint = event.map_or_else(T::default, T::read);
                self.set(*failed, Value::int(width, u128::from(!done)), taint);
            }
            Op::Rmw { dst, op, access, value } => {
                let (access, address) = self.resolve(code, memory, place, access)?;
                let operand = self.value(code, memory, place, value)?;
                let depends = self.dependencies(address, self.taint(value));
                let old = memory.rmw(
                    self.site(code, place),
                    access,
                    *op,
                    operand,
                    dst.is_some(),
                    depends,
                )?;
                if let Some(dst) = *dst {
                    self.set(dst, old.value, memory.taint(old.event));
                }
            }
            Op::Cas { dst, success, access, expected, desired, failure, weak } => {
                let (access, address) = self.resolve(code, memory, place, access)?;
                let wanted = (self.value(code, memory, place, expected)?, self.taint(expected));
                let new = self.value(code, memory, place, desired)?;
                let depends = self.dependencies(address, self.taint(desired));
                let (old, done) = memory.cas(
                    self.site(code, place),
                    access,
                    wanted,
                    new,
                    *failure,
                    *weak,
                    depends,
                )?;
                if let Some(dst) = *dst {
                    self.set(dst, old.value, memory.taint(old.event));
                }
                if let Some(success) = *success {
                    self.set(success, Value::bool(done), memory.taint(old.event));
                }
            }
            Op::Mcas { success, words } => {
                let words = self.mcas_words(code, memory, place, words)?;
                let done = memory.mcas(self.site(code, place), words)?;
                if let Some(success) = *success {
                    self.set(success, Value::bool(done), T::default());
                }
            }
            op => unreachable!("{op:?} is executed elsewhere"),
        }
        Ok(())
    }

    fn mcas_words<'p, M: Memory<T>>(
        &self,
        code: &Code<'_>,
        memory: &mut M,
        place: Option<LocId>,
        words: &'p [McasWord],
    ) -> Result<Vec<ResolvedMcasWord<'p, T>>, M::Stop> {
        let word = |word: &'p McasWord| {
            let (access, address) = self.resolve(code, memory, place, &word.access)?;
            Ok(ResolvedMcasWord {
                access,
                expected: self.value(code, memory, place, &word.expected)?,
                desired: self.value(code, memory, place, &word.desired)?,
                dependencies: self.dependencies(address, self.taint(&word.desired)),
            })
        };
        words.iter().map(word).collect()
    }
}
