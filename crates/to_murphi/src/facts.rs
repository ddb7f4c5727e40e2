//! What each register and each word of memory can hold, in any execution of any threads: a fixpoint
//! over the whole program that forgets the order of accesses.

use crate::inline::Whole;
use crate::value::{Abs, Home, MOST_VALUES, Meaning, Set, Word, binary, cast, int, unary};
use crate::{Held, Object, Refused, Start};
use execution::ids::IdVec;
use ir::op::{Access, BinaryOp, Inst, Op, Operand, RmwOp, Terminator, UnaryOp};
use ir::program::{BlockId, LocId, Program, Reg, Storage, Width};
use std::collections::{BTreeMap, BTreeSet};

/// What is known.
#[derive(Debug, Default)]
pub struct Facts {
    /// For each operation, what its registers hold.
    pub regs: Vec<IdVec<Reg, Set>>,
    /// What words hold, with the first place where each is accessed.
    pub words: BTreeMap<Word, (Set, Option<LocId>)>,
    /// For each operation, which blocks can be reached without a branch on an undefined value.
    pub reached: Vec<IdVec<BlockId, bool>>,
    /// The words of globals that hold one value from the start on.
    fixed: BTreeSet<Word>,
    changed: bool,
}

/// Finds the facts of a program.
pub fn facts(
    program: &Program,
    all: &[Whole],
    start: &dyn Start,
    chosen: &[Vec<i128>],
) -> Result<Facts, Refused> {
    let mut facts = Facts::default();
    for whole in all {
        facts.regs.push(whole.function.regs.iter().map(|_| Set::new()).collect());
        let mut reached: IdVec<BlockId, bool> =
            whole.function.blocks.iter().map(|_| false).collect();
        reached[whole.function.entry()] = true;
        facts.reached.push(reached);
        let at = facts.reached.len() - 1;
        for &reg in &whole.choices {
            facts.regs[at][reg].extend(chosen[at].iter().copied().map(Abs::Int));
        }
    }
    loop {
        facts.changed = false;
        for (at, whole) in all.iter().enumerate() {
            for (id, block) in whole.function.blocks.enumerate() {
                if !facts.reached[at][id] {
                    continue;
                }
                let call = whole.origins[id].call;
                let mut walk = Walk { program, start, facts: &mut facts, whole, at, call };
                for inst in &block.insts {
                    walk.inst(inst).map_err(|refused| refused.called(call))?;
                }
                walk.end(&block.terminator, block.place).map_err(|refused| refused.called(call))?;
            }
        }
        if !facts.changed {
            break;
        }
    }
    facts.words_apart()?;
    facts.fixed = facts.words.keys().copied().filter(|word| facts.has_one(*word, start)).collect();
    Ok(facts)
}

impl Facts {
    /// No two words may overlap.
    fn words_apart(&self) -> Result<(), Refused> {
        let all: Vec<_> = self.words.iter().collect();
        for pair in all.windows(2) {
            let ((a, _), (b, (_, place))) = (&pair[0], &pair[1]);
            if a.home == b.home && a.offset + a.width.bytes() > b.offset {
                return Err(Refused::at("a word of memory that is accessed in parts", *place));
            }
        }
        Ok(())
    }

    /// What a word holds: nothing if no code that can be reached accesses it.
    pub fn word(&self, word: Word) -> &Set {
        const NOTHING: &Set = &Set::new();
        self.words.get(&word).map_or(NOTHING, |known| &known.0)
    }

    /// Whether a word holds one value from the start on. Of a word of a heap block it matters whether
    /// the block is there, and whether the word has been written.
    fn has_one(&self, word: Word, start: &dyn Start) -> bool {
        let set = self.word(word);
        let Home::Global(global) = word.home else { return false };
        let one = set.len() == 1 && matches!(set.first(), Some(Abs::Int(_) | Abs::At(..)));
        one && start.held(Object::Global(global), word.offset, word.width) != Held::Undefined
    }

    /// Whether a word is no part of the memory of a model, as it holds one value from the start on.
    pub fn is_fixed(&self, word: Word) -> bool {
        self.fixed.contains(&word)
    }
}

/// The words that an address leads to; where it leads nowhere, the access goes wrong.
pub fn words(address: &Set, width: Width) -> Meaning<Vec<Word>> {
    let mut all = Vec::new();
    for &value in address {
        let (home, offset) = match value {
            Abs::Node(offset) => (Home::Heap, offset),
            Abs::At(global, offset) => match u64::try_from(offset) {
                Ok(offset) => (Home::Global(global), offset),
                Err(_) => return Err("an address outside of its object".into()),
            },
            Abs::Undef | Abs::Int(_) => continue,
            Abs::Me => return Err("a thread's number as an address".into()),
        };
        all.push(Word { home, offset, width });
    }
    Ok(all)
}

struct Walk<'a> {
    program: &'a Program,
    start: &'a dyn Start,
    facts: &'a mut Facts,
    whole: &'a Whole,
    at: usize,
    /// The call of the user's, if the code is of the library.
    call: Option<LocId>,
}

impl Walk<'_> {
    fn operand(&self, operand: &Operand, place: Option<LocId>) -> Result<Set, Refused> {
        Ok(match operand {
            Operand::Reg(reg) => self.facts.regs[self.at][*reg].clone(),
            Operand::Int { width, bits } => int(*width, *bits),
            Operand::Global(global, offset) => Set::from([Abs::At(*global, *offset)]),
            Operand::Undef(_) => Set::from([Abs::Undef]),
            Operand::Slot(..) => {
                return Err(Refused::at("a local variable that is used by its address", place));
            }
            Operand::Function(_) => return Err(Refused::at("the address of a function", place)),
        })
    }

    fn width(&self, operand: &Operand) -> Width {
        match operand {
            Operand::Reg(reg) => self.whole.function.regs[*reg].width,
            Operand::Int { width, .. } | Operand::Undef(width) => *width,
            _ => Width::PTR,
        }
    }

    fn add(&mut self, reg: Reg, values: Set, place: Option<LocId>) -> Result<(), Refused> {
        let known = &mut self.facts.regs[self.at][reg];
        let before = known.len();
        known.extend(values);
        self.facts.changed |= known.len() > before;
        few(known, place)
    }

    /// What some words hold.
    fn load(&mut self, words: &[Word], place: Option<LocId>) -> Result<Set, Refused> {
        let mut all = Set::new();
        for &word in words {
            self.know(word, place)?;
            all.extend(self.facts.words[&word].0.iter().copied());
        }
        Ok(all)
    }

    fn store(&mut self, words: &[Word], values: &Set, at: Option<LocId>) -> Result<(), Refused> {
        for &word in words {
            self.know(word, at)?;
            let known = &mut self.facts.words.get_mut(&word).expect("just added").0;
            let before = known.len();
            known.extend(values.iter().filter(|value| **value != Abs::Undef));
            self.facts.changed |= known.len() > before;
            few(known, at)?;
        }
        Ok(())
    }

    /// A word is accessed: from now on it is known what it holds at the start.
    fn know(&mut self, word: Word, place: Option<LocId>) -> Result<(), Refused> {
        if self.facts.words.contains_key(&word) {
            return Ok(());
        }
        let objects = match word.home {
            Home::Global(global) => {
                let known = &self.program.globals[global];
                if known.storage == Storage::ThreadLocal {
                    return Err(Refused::at("a thread-local object", place));
                }
                if word.offset + word.width.bytes() > known.size {
                    return Err(Refused::at("an access outside of an object", place));
                }
                vec![Object::Global(global)]
            }
            Home::Heap => (0..self.start.blocks()).map(Object::Heap).collect(),
        };
        let mut values = Set::new();
        for object in objects {
            match self.start.held(object, word.offset, word.width) {
                Held::Undefined => {}
                Held::Number(number) => {
                    values.insert(Abs::Int(number));
                }
                Held::Address(Object::Heap(_), offset) if offset >= 0 => {
                    values.insert(Abs::Node(offset as u64));
                }
                Held::Address(Object::Global(global), offset) => {
                    values.insert(Abs::At(global, offset));
                }
                Held::Address(..) | Held::Other => {
                    return Err(Refused::at("a pointer to what is not an object", place));
                }
            }
        }
        self.facts.words.insert(word, (values, self.call.or(place)));
        self.facts.changed = true;
        Ok(())
    }

    fn access(&self, access: &Access, place: Option<LocId>) -> Result<Vec<Word>, Refused> {
        let address = self.operand(&access.address, place)?;
        words(&address, access.width).map_err(|what| Refused::at(what, place))
    }

    fn inst(&mut self, inst: &Inst) -> Result<(), Refused> {
        let place = inst.place;
        let refused = |what: String| Refused::at(what, place);
        let values = match &inst.op {
            Op::Copy { src, .. } => self.operand(src, place)?,
            Op::Unary { op, a, .. } => {
                let mut all = unary(*op, self.width(a), &self.operand(a, place)?);
                // That a word can be undefined is not part of what it holds.
                if let (Ok(all), UnaryOp::DefinedOrZero) = (&mut all, op) {
                    all.insert(Abs::Int(0));
                }
                all.map_err(refused)?
            }
            Op::Binary { op, a, b, .. } => {
                let (x, y) = (self.operand(a, place)?, self.operand(b, place)?);
                binary(*op, self.width(a), &x, &y).map_err(refused)?
            }
            Op::Cast { op, a, dst } => {
                let to = self.whole.function.regs[*dst].width;
                cast(*op, self.width(a), to, &self.operand(a, place)?).map_err(refused)?
            }
            Op::Select { a, b, .. } => {
                let mut all = self.operand(a, place)?;
                all.extend(self.operand(b, place)?);
                all
            }
            Op::Load { access, exclusive: false, .. } => {
                let words = self.access(access, place)?;
                self.load(&words, place)?
            }
            Op::Store { access, value } => {
                let words = self.access(access, place)?;
                let values = self.operand(value, place)?;
                return self.store(&words, &values, place);
            }
            Op::Rmw { op, access, value, .. } => {
                let words = self.access(access, place)?;
                let old = self.load(&words, place)?;
                let by = self.operand(value, place)?;
                let new = updated(*op, access.width, &old, &by).map_err(refused)?;
                self.store(&words, &new, place)?;
                old
            }
            Op::Cas { dst, success, access, desired, .. } => {
                let words = self.access(access, place)?;
                let old = self.load(&words, place)?;
                let new = self.operand(desired, place)?;
                self.store(&words, &new, place)?;
                if let Some(success) = success {
                    self.add(*success, Set::from([Abs::Int(0), Abs::Int(1)]), place)?;
                }
                return dst.map_or(Ok(()), |dst| self.add(dst, old, place));
            }
            Op::Alloc { size: Operand::Int { .. }, zeroed: false, .. } => Set::from([Abs::Node(0)]),
            Op::Self_ { .. } => Set::from([Abs::Me]),
            // What it chooses is known by its invocations; see `choose`.
            Op::Choose { dst, .. } => self.facts.regs[self.at][*dst].clone(),
            Op::Free { address } => {
                let odd = |value: &Abs| !matches!(value, Abs::Node(0) | Abs::Int(0) | Abs::Undef);
                return match self.operand(address, place)?.iter().any(odd) {
                    true => Err(refused("what is freed need not be the start of a block".into())),
                    false => Ok(()),
                };
            }
            Op::Fence(_)
            | Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Enter { .. }
            | Op::Yield
            | Op::Assert { .. }
            | Op::Bound { .. }
            | Op::Assume { .. }
            | Op::Observe { .. }
            | Op::Commit { .. }
            | Op::OperationBegin { .. }
            | Op::OperationEnd { .. } => return Ok(()),
            other => return Err(refused(unsupported(other).into())),
        };
        match inst.op.results().first() {
            Some(dst) => self.add(*dst, values, place),
            None => Ok(()),
        }
    }

    fn end(&mut self, end: &Terminator, place: Option<LocId>) -> Result<(), Refused> {
        let targets: Vec<BlockId> = match end {
            Terminator::Branch { cond, then, otherwise } => {
                let values = self.operand(cond, place)?;
                let then = values.contains(&Abs::Int(1)).then_some(*then);
                let otherwise = values.contains(&Abs::Int(0)).then_some(*otherwise);
                then.into_iter().chain(otherwise).collect()
            }
            Terminator::ThreadExit(_) | Terminator::Exit(_) => {
                let what = "an operation that ends its thread or the program";
                return Err(Refused::at(what, place));
            }
            other => other.successors(),
        };
        for target in targets {
            let reached = &mut self.facts.reached[self.at][target];
            self.facts.changed |= !*reached;
            *reached = true;
        }
        Ok(())
    }
}

fn few(values: &Set, place: Option<LocId>) -> Result<(), Refused> {
    match values.len() > MOST_VALUES {
        true => {
            let what = format!("a number with more than {MOST_VALUES} values, like a counter");
            Err(Refused::at(what, place))
        }
        false => Ok(()),
    }
}

/// What a read-modify-write stores.
pub fn updated(op: RmwOp, width: Width, old: &Set, by: &Set) -> Meaning<Set> {
    let op = match op {
        RmwOp::Exchange => return Ok(by.clone()),
        RmwOp::Add => BinaryOp::Add,
        RmwOp::Sub => BinaryOp::Sub,
        RmwOp::And => BinaryOp::And,
        RmwOp::Or => BinaryOp::Or,
        RmwOp::Xor => BinaryOp::Xor,
        _ => return Err("this read-modify-write".into()),
    };
    binary(op, width, old, by)
}

fn unsupported(op: &Op) -> &'static str {
    match op {
        Op::Load { .. } | Op::StoreExclusive { .. } => "an exclusive access",
        Op::Mcas { .. } => "a compare-and-swap of several words",
        Op::Alloc { zeroed: true, .. } => "a block that is allocated filled with zeros",
        Op::Alloc { .. } => "a block whose size is not a constant",
        Op::BlockSize { .. } => "the size of a block",
        Op::Spawn { .. } | Op::Detach { .. } => "an operation that starts a thread",
        Op::Join { .. } => "an operation that awaits a thread",
        Op::Call { .. } => "a call through a pointer",
        Op::Print { .. } => "an operation that prints",
        _ => "this instruction",
    }
}
