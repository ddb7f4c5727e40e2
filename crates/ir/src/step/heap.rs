//! Allocation and release of heap blocks.

use super::memory::Memory;
use super::taint::Taint;
use super::thread::{Code, Thread};
use crate::op::{Inst, Op};
use crate::program::Width;
use crate::value::Value;

impl<T: Taint> Thread<T> {
    /// Allocation and release of heap blocks.
    pub(super) fn manage<M: Memory<T>>(
        &mut self,
        code: &Code<'_>,
        memory: &mut M,
        inst: &Inst,
    ) -> Result<(), M::Stop> {
        let place = inst.place;
        let (dst, result) = match &inst.op {
            Op::Alloc { dst, size, align, zeroed, layout } => {
                let size = self.defined(code, memory, place, size, "the size of an allocation")?;
                let align =
                    self.defined(code, memory, place, align, "the alignment of an allocation")?;
                let block = memory.alloc(
                    self.site(code, place),
                    size.low(),
                    align.low(),
                    *zeroed,
                    *layout,
                )?;
                (*dst, block)
            }
            Op::BlockSize { dst, address } => {
                let address = self.defined(code, memory, place, address, "an address")?;
                let size = memory.block_size(self.site(code, place), address)?;
                (*dst, Value::int(Width::I64, size.into()))
            }
            Op::Free { address } => {
                let taint = self.taint(address);
                let address = self.defined(code, memory, place, address, "an address")?;
                return if address.bits == 0 {
                    Ok(())
                } else {
                    memory.free(self.site(code, place), address, taint)
                };
            }
            op => unreachable!("{op:?} is executed elsewhere"),
        };
        self.set(dst, result, T::default());
        Ok(())
    }
}
