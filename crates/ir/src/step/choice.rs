//! Nondeterminism: choices, and assumptions about them.

use super::memory::{Alternatives, Fault, Memory};
use super::taint::Taint;
use super::thread::{Code, Thread};
use crate::op::{Choice, Operand};
use crate::program::{LocId, Reg};

impl<T: Taint> Thread<T> {
    /// What follows an assumption depends on it, as it would on the loop that it stands for.
    pub(super) fn assume<M: Memory<T>>(
        &mut self,
        code: &Code<'_>,
        memory: &mut M,
        place: Option<LocId>,
        cond: &Operand,
        waits: bool,
    ) -> Result<(), M::Stop> {
        let value = self.defined(code, memory, place, cond, "an assumption")?;
        if value.bits == 0 {
            let waits = waits && self.in_section();
            return Err(memory.fault(self.site(code, place), Fault::AssumptionFailed { waits }));
        }
        let taint = self.taint(cond);
        memory.branch(self.site(code, place), &taint)?;
        self.control.join(&taint);
        Ok(())
    }

    pub(super) fn choose<M: Memory<T>>(
        &mut self,
        code: &Code<'_>,
        memory: &mut M,
        place: Option<LocId>,
        dst: Reg,
        from: &Choice,
    ) -> Result<(), M::Stop> {
        let what = "an alternative of a choice";
        let alternatives = match from {
            Choice::Any => Alternatives::Any,
            Choice::Set(set) => {
                Alternatives::Set(self.all_defined(code, memory, place, set, what)?)
            }
            Choice::Range(low, high) => {
                let low = self.defined(code, memory, place, low, what)?.as_signed();
                let high = self.defined(code, memory, place, high, what)?.as_signed();
                Alternatives::Range(low, high)
            }
        };
        let empty = match &alternatives {
            Alternatives::Any => false,
            Alternatives::Set(set) => set.is_empty(),
            Alternatives::Range(low, high) => low > high,
        };
        if empty {
            let waits = self.in_section();
            return Err(memory.fault(self.site(code, place), Fault::AssumptionFailed { waits }));
        }
        let value = memory.choose(self.site(code, place), self.width(code, dst), alternatives)?;
        self.set(dst, value, T::default());
        Ok(())
    }
}
