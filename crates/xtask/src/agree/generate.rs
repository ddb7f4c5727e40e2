//! Makes random sketches for a family of models.

use super::random::Random;
use super::sketch::{Access, Place, REGISTERS, Sketch, Statement, Value};

/// The words that programs for some models use.
pub struct Family {
    /// Its name.
    pub name: &'static str,
    /// The models.
    pub models: &'static [&'static str],
    /// Orders and tags of reads.
    pub reads: &'static [(&'static str, &'static str)],
    /// Orders and tags of writes.
    pub writes: &'static [(&'static str, &'static str)],
    /// Orders and tags of read-modify-writes, with an order on failure.
    pub updates: &'static [(&'static str, &'static str, &'static str)],
    /// Fences, as the text form writes them after `fence`.
    pub fences: &'static [&'static str],
    /// Whether there are exclusive loads and stores.
    pub exclusives: bool,
    /// Whether there are atomic sections and compare-and-swaps of two words.
    pub sections: bool,
    /// Whether each thread is an operation.
    pub operations: bool,
}

const DIRECTED: &[&str] =
    &[" store-load", " load-load", " store-store", " load-store", " load-load, load-store"];

/// All families.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "directed",
        models: &["sc", "tso", "pso", "rmo", "alpha", "relaxed"],
        reads: &[("", "")],
        writes: &[("", "")],
        updates: &[(".rlx", "", ".rlx")],
        fences: DIRECTED,
        exclusives: false,
        sections: false,
        operations: false,
    },
    Family {
        name: "sections",
        models: &["sc", "tso", "pso", "relaxed"],
        reads: &[("", "")],
        writes: &[("", "")],
        updates: &[(".rlx", "", ".rlx")],
        fences: DIRECTED,
        exclusives: false,
        sections: true,
        operations: false,
    },
    Family {
        name: "operations",
        models: &["serial", "sc"],
        reads: &[("", "")],
        writes: &[("", "")],
        updates: &[(".rlx", "", ".rlx")],
        fences: DIRECTED,
        exclusives: false,
        sections: false,
        operations: true,
    },
    Family {
        name: "x86",
        models: &["tso"],
        reads: &[("", "")],
        writes: &[("", "")],
        updates: &[(".rlx", "", ".rlx")],
        fences: &[" \"mfence\"", " \"lfence\"", " \"sfence\""],
        exclusives: false,
        sections: false,
        operations: false,
    },
    Family {
        name: "power",
        models: &["power"],
        reads: &[("", "")],
        writes: &[("", "")],
        updates: &[],
        fences: &[" \"sync\"", " \"lwsync\"", " \"isync\"", " \"eieio\""],
        exclusives: true,
        sections: false,
        operations: false,
    },
    Family {
        name: "armv7",
        models: &["armv7"],
        reads: &[("", "")],
        writes: &[("", "")],
        updates: &[],
        fences: &[" \"dmb\"", " \"dsb\"", " \"dmb.st\"", " \"isb\""],
        exclusives: true,
        sections: false,
        operations: false,
    },
    Family {
        name: "armv8",
        models: &["armv8", "armv8-simple"],
        reads: &[("", ""), (".acq", "A"), (".acq", "Q")],
        writes: &[("", ""), (".rel", "L")],
        updates: &[(".rlx", "", ".rlx"), (".acq", "R.A", ".acq"), (".rel", "W.L", ".rlx")],
        fences: &[" \"DMB.SY\"", " \"DMB.LD\"", " \"DMB.ST\"", " \"ISB\""],
        exclusives: true,
        sections: false,
        operations: false,
    },
    Family {
        name: "riscv",
        models: &["riscv"],
        reads: &[("", ""), (".acq", "Acq")],
        writes: &[("", ""), (".rel", "Rel")],
        updates: &[(".rlx", "", ".rlx"), (".acq", "Acq", ".acq"), (".rel", "Rel", ".rlx")],
        fences: &[" \"Fence.rw.rw\"", " \"Fence.r.rw\"", " \"Fence.rw.w\"", " \"Fence.tso\""],
        exclusives: true,
        sections: false,
        operations: false,
    },
    Family {
        name: "c11",
        models: &["rc11", "c11", "c11-no-thin-air", "c11-simp", "imm"],
        reads: &[("", ""), (".rlx", ""), (".acq", ""), (".sc", "")],
        writes: &[("", ""), (".rlx", ""), (".rel", ""), (".sc", "")],
        updates: &[
            (".rlx", "", ".rlx"),
            (".acq", "", ".rlx"),
            (".rel", "", ".rlx"),
            (".acqrel", "", ".acq"),
            (".sc", "", ".sc"),
        ],
        fences: &[".acq", ".rel", ".acqrel", ".sc"],
        exclusives: false,
        sections: false,
        operations: false,
    },
    Family {
        name: "kernel",
        models: &["lkmm"],
        reads: &[("", ""), (".rlx", "Once"), (".acq", "Acquire")],
        writes: &[("", ""), (".rlx", "Once"), (".rel", "Release")],
        updates: &[(".rlx", "Once", ".rlx"), (".rlx", "Once, F.Mb", ".rlx")],
        fences: &[" \"Mb\"", " \"Rmb\"", " \"Wmb\""],
        exclusives: false,
        sections: false,
        operations: false,
    },
];

/// A random sketch.
pub fn sketch(random: &mut Random, family: &Family) -> Sketch {
    let count = *random.pick(&[2, 2, 2, 3, 3, 4]);
    let budget = [0, 0, 5, 3, 2][count];
    let mut maker = Maker { random, family, pointers: false };
    maker.pointers = maker.random.one_in(4);
    let threads = (0..count).map(|_| maker.thread(budget)).collect();
    Sketch { threads, operations: family.operations }
}

struct Maker<'a> {
    random: &'a mut Random,
    family: &'a Family,
    /// Whether blocks are published.
    pointers: bool,
}

impl Maker<'_> {
    fn thread(&mut self, budget: usize) -> Vec<Statement> {
        let accesses = 2 + self.random.below(budget.saturating_sub(1).max(1));
        let mut left = accesses;
        let mut list = Vec::new();
        while left > 0 {
            list.push(self.statement(&mut left, 0));
        }
        if self.random.one_in(12) {
            list.push(Statement::Assert(self.register(), self.number()));
        }
        list
    }

    fn register(&mut self) -> usize {
        self.random.below(REGISTERS)
    }

    fn number(&mut self) -> i32 {
        self.random.below(3) as i32
    }

    fn place(&mut self) -> Place {
        let globals = if self.random.one_in(3) { 3 } else { 2 };
        let global = self.random.below(globals);
        match self.random.below(8) {
            0 => Place::Depending(global, self.register()),
            1 => Place::Element(self.register()),
            _ => Place::Global(global),
        }
    }

    fn value(&mut self) -> Value {
        match self.random.below(6) {
            0 => Value::Register(self.register()),
            1 => Value::Depending(self.register(), 1 + self.number()),
            2 => Value::Sum(self.register(), 1),
            _ => Value::Number(1 + self.number()),
        }
    }

    fn read(&mut self) -> Access {
        let &(order, tags) = self.random.pick(self.family.reads);
        Access { place: self.place(), order, tags }
    }

    fn write(&mut self) -> Access {
        let &(order, tags) = self.random.pick(self.family.writes);
        Access { place: self.place(), order, tags }
    }

    fn statement(&mut self, left: &mut usize, depth: usize) -> Statement {
        let kind = self.random.below(24);
        match kind {
            0..=2 => {
                return Statement::Fence(self.random.pick::<&'static str>(self.family.fences));
            }
            3..=4 if depth < 2 => {
                let (register, number) = (self.register(), self.number());
                let then = vec![self.statement(left, depth + 1)];
                let mut otherwise = Vec::new();
                if self.random.one_in(3) && *left > 0 {
                    otherwise.push(self.statement(left, depth + 1));
                }
                return Statement::If(register, number, then, otherwise);
            }
            5 => {
                let (a, b) = (self.value(), self.value());
                return Statement::Select(self.register(), self.register(), a, b);
            }
            6 if self.random.one_in(2) => return Statement::Choose(self.register()),
            7 if self.random.one_in(4) => {
                return Statement::Assume(self.register(), self.number());
            }
            _ => {}
        }
        *left = left.saturating_sub(1);
        match kind {
            8..=9 if !self.family.updates.is_empty() => {
                let &(order, tags, failure) = self.random.pick(self.family.updates);
                let access = Access { place: self.place(), order, tags };
                let old = self.register();
                if self.random.one_in(2) {
                    let op = self.random.pick(&["xchg", "add"]);
                    return Statement::Update(old, op, access, self.value());
                }
                let weak = self.random.one_in(3);
                let (expected, desired) = (Value::Number(self.number()), self.value());
                Statement::Swap { old, weak, access, failure, expected, desired }
            }
            10 if self.family.exclusives => {
                let place = self.place();
                let (load, store) = (self.read(), self.write());
                let load = Access { place, ..load };
                let store = Access { place, ..store };
                let (old, failed) = (self.register(), self.register());
                Statement::Exclusive { old, failed, load, store, value: self.value() }
            }
            10..=12 if self.family.sections && depth == 0 => {
                if self.random.one_in(3) {
                    return Statement::Double(self.register());
                }
                let mut inside = 1 + self.random.below(2);
                let mut body = Vec::new();
                while inside > 0 {
                    let before = inside;
                    body.push(self.access());
                    inside = before - 1;
                }
                Statement::Section(body)
            }
            13..=15 if self.pointers => match self.random.below(3) {
                0 => Statement::Publish(self.write(), self.value()),
                _ => {
                    let mut body = vec![self.through_pointer()];
                    if self.random.one_in(4) {
                        body.push(Statement::Free);
                    }
                    Statement::Follow(self.read(), body)
                }
            },
            _ => self.access(),
        }
    }

    fn access(&mut self) -> Statement {
        if self.random.one_in(2) {
            Statement::Load(self.register(), self.read())
        } else {
            Statement::Store(self.write(), self.value())
        }
    }

    fn through_pointer(&mut self) -> Statement {
        let at = |access: Access| Access { place: Place::Pointer, ..access };
        if self.random.one_in(2) {
            Statement::Load(self.register(), at(self.read()))
        } else {
            Statement::Store(at(self.write()), self.value())
        }
    }
}
