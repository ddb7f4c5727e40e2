//! The parts of instructions and terminators: what they read, what they write, where they access.

use crate::op::{Access, Callee, Choice, Op, Operand, PrintPiece, PrintTarget, Terminator};
use crate::program::{Function, Reg, SlotId};
use std::collections::HashSet;

impl Op {
    /// The operands that it reads, in the order of the text form.
    pub fn operands(&self) -> Vec<&Operand> {
        match self {
            Op::Copy { src: a, .. }
            | Op::Unary { a, .. }
            | Op::Cast { a, .. }
            | Op::Free { address: a }
            | Op::BlockSize { address: a, .. }
            | Op::Join { thread: a, .. }
            | Op::Detach { thread: a }
            | Op::Assert { cond: a, .. }
            | Op::Bound { index: a, .. }
            | Op::Assume { cond: a, .. }
            | Op::Observe { value: a, .. } => vec![a],
            Op::Binary { a, b, .. } | Op::Alloc { size: a, align: b, .. } => vec![a, b],
            Op::Select { cond, a, b, .. } => vec![cond, a, b],
            Op::Load { access, .. } => vec![&access.address],
            Op::Store { access, value }
            | Op::StoreExclusive { access, value, .. }
            | Op::Rmw { access, value, .. } => vec![&access.address, value],
            Op::Cas { access, expected, desired, .. } => vec![&access.address, expected, desired],
            Op::Mcas { words, .. } => words
                .iter()
                .flat_map(|word| [&word.access.address, &word.expected, &word.desired])
                .collect(),
            Op::Spawn { callee, args, .. } | Op::Call { callee, args, .. } => {
                let address = match callee {
                    Callee::Direct(_) => None,
                    Callee::Indirect(address) => Some(address),
                };
                address.into_iter().chain(args).collect()
            }
            Op::OperationBegin { args, .. } | Op::Native { args, .. } => args.iter().collect(),
            Op::OperationEnd { result } => result.iter().collect(),
            Op::Choose { from, .. } => match from {
                Choice::Range(low, high) => vec![low, high],
                Choice::Set(values) => values.iter().collect(),
                Choice::Any => Vec::new(),
            },
            Op::Print { target, pieces, .. } => {
                let target = match target {
                    PrintTarget::Stdout | PrintTarget::Stderr => Vec::new(),
                    PrintTarget::Buffer { address, size } => vec![address, size],
                };
                target.into_iter().chain(pieces.iter().flat_map(PrintPiece::operands)).collect()
            }
            Op::Fence(_)
            | Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Enter { .. }
            | Op::Self_ { .. }
            | Op::Yield
            | Op::Commit { .. } => Vec::new(),
        }
    }

    /// The same operands, to be changed.
    pub fn operands_mut(&mut self) -> Vec<&mut Operand> {
        match self {
            Op::Copy { src: a, .. }
            | Op::Unary { a, .. }
            | Op::Cast { a, .. }
            | Op::Free { address: a }
            | Op::BlockSize { address: a, .. }
            | Op::Join { thread: a, .. }
            | Op::Detach { thread: a }
            | Op::Assert { cond: a, .. }
            | Op::Bound { index: a, .. }
            | Op::Assume { cond: a, .. }
            | Op::Observe { value: a, .. } => vec![a],
            Op::Binary { a, b, .. } | Op::Alloc { size: a, align: b, .. } => vec![a, b],
            Op::Select { cond, a, b, .. } => vec![cond, a, b],
            Op::Load { access, .. } => vec![&mut access.address],
            Op::Store { access, value }
            | Op::StoreExclusive { access, value, .. }
            | Op::Rmw { access, value, .. } => vec![&mut access.address, value],
            Op::Cas { access, expected, desired, .. } => {
                vec![&mut access.address, expected, desired]
            }
            Op::Mcas { words, .. } => words
                .iter_mut()
                .flat_map(|word| [&mut word.access.address, &mut word.expected, &mut word.desired])
                .collect(),
            Op::Spawn { callee, args, .. } | Op::Call { callee, args, .. } => {
                let address = match callee {
                    Callee::Direct(_) => None,
                    Callee::Indirect(address) => Some(address),
                };
                address.into_iter().chain(args).collect()
            }
            Op::OperationBegin { args, .. } | Op::Native { args, .. } => args.iter_mut().collect(),
            Op::OperationEnd { result } => result.iter_mut().collect(),
            Op::Choose { from, .. } => match from {
                Choice::Range(low, high) => vec![low, high],
                Choice::Set(values) => values.iter_mut().collect(),
                Choice::Any => Vec::new(),
            },
            Op::Print { target, pieces, .. } => {
                let target = match target {
                    PrintTarget::Stdout | PrintTarget::Stderr => Vec::new(),
                    PrintTarget::Buffer { address, size } => vec![address, size],
                };
                target
                    .into_iter()
                    .chain(pieces.iter_mut().flat_map(PrintPiece::operands_mut))
                    .collect()
            }
            Op::Fence(_)
            | Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Enter { .. }
            | Op::Self_ { .. }
            | Op::Yield
            | Op::Commit { .. } => Vec::new(),
        }
    }

    /// The registers that it writes.
    pub fn results(&self) -> Vec<Reg> {
        match self {
            Op::Copy { dst, .. }
            | Op::Unary { dst, .. }
            | Op::Binary { dst, .. }
            | Op::Cast { dst, .. }
            | Op::Select { dst, .. }
            | Op::Load { dst, .. }
            | Op::StoreExclusive { failed: dst, .. }
            | Op::Alloc { dst, .. }
            | Op::BlockSize { dst, .. }
            | Op::Spawn { dst, .. }
            | Op::Self_ { dst }
            | Op::Native { dst, .. }
            | Op::Choose { dst, .. } => vec![*dst],
            Op::Rmw { dst, .. }
            | Op::Mcas { success: dst, .. }
            | Op::Join { dst, .. }
            | Op::Call { dst, .. }
            | Op::Print { dst, .. } => dst.iter().copied().collect(),
            Op::Cas { dst, success, .. } => dst.iter().chain(success).copied().collect(),
            Op::Store { .. }
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Enter { .. }
            | Op::Free { .. }
            | Op::Detach { .. }
            | Op::Yield
            | Op::Assert { .. }
            | Op::Bound { .. }
            | Op::Assume { .. }
            | Op::Observe { .. }
            | Op::Commit { .. }
            | Op::OperationBegin { .. }
            | Op::OperationEnd { .. } => Vec::new(),
        }
    }

    /// Its memory accesses: none, one, or several for a multi-word compare-and-swap.
    pub fn accesses(&self) -> Vec<&Access> {
        match self {
            Op::Load { access, .. }
            | Op::Store { access, .. }
            | Op::StoreExclusive { access, .. }
            | Op::Rmw { access, .. }
            | Op::Cas { access, .. } => vec![access],
            Op::Mcas { words, .. } => words.iter().map(|word| &word.access).collect(),
            _ => Vec::new(),
        }
    }

    /// The same accesses, to be changed.
    pub fn accesses_mut(&mut self) -> Vec<&mut Access> {
        match self {
            Op::Load { access, .. }
            | Op::Store { access, .. }
            | Op::StoreExclusive { access, .. }
            | Op::Rmw { access, .. }
            | Op::Cas { access, .. } => vec![access],
            Op::Mcas { words, .. } => words.iter_mut().map(|word| &mut word.access).collect(),
            _ => Vec::new(),
        }
    }
}

impl PrintPiece {
    /// The operands that it reads.
    pub fn operands(&self) -> Vec<&Operand> {
        match self {
            PrintPiece::Text(_) => Vec::new(),
            PrintPiece::Value { format, value } => {
                [value].into_iter().chain(&format.width).chain(&format.precision).collect()
            }
        }
    }

    /// The same operands, to be changed.
    pub fn operands_mut(&mut self) -> Vec<&mut Operand> {
        match self {
            PrintPiece::Text(_) => Vec::new(),
            PrintPiece::Value { format, value } => {
                [value].into_iter().chain(&mut format.width).chain(&mut format.precision).collect()
            }
        }
    }
}

impl Terminator {
    /// The operands that it reads.
    pub fn operands(&self) -> Vec<&Operand> {
        match self {
            Terminator::Jump(_) | Terminator::Trap(_) => Vec::new(),
            Terminator::Branch { cond: value, .. }
            | Terminator::Switch { value, .. }
            | Terminator::Exit(value) => vec![value],
            Terminator::Return(value) | Terminator::ThreadExit(value) => value.iter().collect(),
        }
    }

    /// The same operands, to be changed.
    pub fn operands_mut(&mut self) -> Vec<&mut Operand> {
        match self {
            Terminator::Jump(_) | Terminator::Trap(_) => Vec::new(),
            Terminator::Branch { cond: value, .. }
            | Terminator::Switch { value, .. }
            | Terminator::Exit(value) => vec![value],
            Terminator::Return(value) | Terminator::ThreadExit(value) => value.iter_mut().collect(),
        }
    }
}

impl Function {
    /// The stack objects that no instruction accesses or takes the address of.
    pub fn unused_slots(&self) -> HashSet<SlotId> {
        let operands = self.blocks.iter().flat_map(|block| {
            let insts = block.insts.iter().flat_map(|inst| inst.op.operands());
            insts.chain(block.terminator.operands())
        });
        let used: HashSet<SlotId> = operands
            .filter_map(|operand| match operand {
                Operand::Slot(slot, _) => Some(*slot),
                _ => None,
            })
            .collect();
        self.slots.ids().filter(|slot| !used.contains(slot)).collect()
    }
}
