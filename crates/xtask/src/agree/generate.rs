//! Makes random sketches for a family of models.

use super::random::Random;
use super::sketch::{Access, Lock, Place, REGISTERS, Sketch, Statement, Value};

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
    /// How a lock is taken and released.
    pub lock: &'static Lock,
}

const DIRECTED_LOCK: Lock = Lock {
    exchange: Some((".rlx", "")),
    after: " load-load, load-store",
    before: " load-store, store-store",
    release: ("", ""),
};
const X86_LOCK: Lock =
    Lock { exchange: Some((".rlx", "")), after: "", before: "", release: ("", "") };
const POWER_LOCK: Lock =
    Lock { exchange: None, after: " \"lwsync\"", before: " \"lwsync\"", release: ("", "") };
const ARMV7_LOCK: Lock =
    Lock { exchange: None, after: " \"dmb\"", before: " \"dmb\"", release: ("", "") };
const ARMV8_LOCK: Lock =
    Lock { exchange: Some((".acq", "R.A")), after: "", before: "", release: (".rel", "L") };
const RISCV_LOCK: Lock = Lock {
    exchange: Some((".acq", "Acq")),
    after: "",
    before: " \"Fence.rw.w\"",
    release: ("", ""),
};
const C11_LOCK: Lock =
    Lock { exchange: Some((".acq", "")), after: "", before: "", release: (".rel", "") };
const KERNEL_LOCK: Lock = Lock {
    exchange: Some((".rlx", "Once, F.Mb")),
    after: "",
    before: "",
    release: (".rel", "Release"),
};

const DIRECTED: &[&str] =
    &[" store-load", " load-load", " store-store", " load-store", " load-load, load-store"];

/// Plain accesses and directed fences: what the others are variants of.
const PLAIN: Family = Family {
    name: "directed",
    models: &["sc", "tso", "pso", "rmo", "alpha", "relaxed"],
    reads: &[("", "")],
    writes: &[("", "")],
    updates: &[(".rlx", "", ".rlx")],
    fences: DIRECTED,
    exclusives: false,
    sections: false,
    operations: false,
    lock: &DIRECTED_LOCK,
};

const ARMV8: Family = Family {
    name: "armv8",
    models: &["armv8", "armv8-simple"],
    reads: &[("", ""), (".acq", "A"), (".acq", "Q")],
    writes: &[("", ""), (".rel", "L")],
    updates: &[(".rlx", "", ".rlx"), (".acq", "R.A", ".acq"), (".rel", "W.L", ".rlx")],
    fences: &[" \"DMB.SY\"", " \"DMB.LD\"", " \"DMB.ST\"", " \"ISB\""],
    exclusives: true,
    lock: &ARMV8_LOCK,
    ..PLAIN
};

const RISCV: Family = Family {
    name: "riscv",
    models: &["riscv"],
    reads: &[("", ""), (".acq", "Acq")],
    writes: &[("", ""), (".rel", "Rel")],
    updates: &[(".rlx", "", ".rlx"), (".acq", "Acq", ".acq"), (".rel", "Rel", ".rlx")],
    fences: &[" \"Fence.rw.rw\"", " \"Fence.r.rw\"", " \"Fence.rw.w\"", " \"Fence.tso\""],
    exclusives: true,
    lock: &RISCV_LOCK,
    ..PLAIN
};

/// All families.
pub const FAMILIES: &[Family] = &[
    PLAIN,
    Family { name: "sections", sections: true, ..PLAIN },
    Family { name: "operations", models: &["serial", "sc"], operations: true, ..PLAIN },
    Family {
        name: "x86",
        models: &["tso"],
        fences: &[" \"mfence\"", " \"lfence\"", " \"sfence\""],
        lock: &X86_LOCK,
        ..PLAIN
    },
    Family {
        name: "power",
        models: &["power"],
        fences: &[" \"sync\"", " \"lwsync\"", " \"isync\"", " \"eieio\""],
        exclusives: true,
        lock: &POWER_LOCK,
        ..PLAIN
    },
    Family {
        name: "armv7",
        models: &["armv7"],
        fences: &[" \"dmb\"", " \"dsb\"", " \"dmb.st\"", " \"isb\""],
        exclusives: true,
        lock: &ARMV7_LOCK,
        ..PLAIN
    },
    ARMV8,
    RISCV,
    Family { name: "armv8 with sections", models: &["armv8"], sections: true, ..ARMV8 },
    Family { name: "riscv with sections", sections: true, ..RISCV },
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
        lock: &C11_LOCK,
        ..PLAIN
    },
    Family {
        name: "kernel",
        models: &["lkmm"],
        reads: &[("", ""), (".rlx", "Once"), (".acq", "Acquire")],
        writes: &[("", ""), (".rlx", "Once"), (".rel", "Release")],
        updates: &[(".rlx", "Once", ".rlx"), (".rlx", "Once, F.Mb", ".rlx")],
        fences: &[" \"Mb\"", " \"Rmb\"", " \"Wmb\""],
        lock: &KERNEL_LOCK,
        ..PLAIN
    },
];

/// A random sketch.
pub fn sketch(random: &mut Random, family: &Family) -> Sketch {
    let count = *random.pick(&[2, 2, 2, 3, 3, 4]);
    let budget = [0, 0, 5, 3, 2][count];
    let mut maker = Maker { random, family, pointers: false, locks: false };
    maker.pointers = maker.random.one_in(4);
    maker.locks = maker.random.one_in(5);
    let threads = (0..count).map(|_| maker.thread(budget)).collect();
    let main = match family.operations {
        true => Default::default(),
        false => maker.main(count),
    };
    let unjoined = !family.operations && maker.random.one_in(8);
    let operations = family.operations;
    Sketch { threads, main, operations, nested: false, unjoined, detached: false }
}

struct Maker<'a> {
    random: &'a mut Random,
    family: &'a Family,
    /// Whether blocks are published.
    pointers: bool,
    /// Whether a lock is taken.
    locks: bool,
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

    /// What `main` does before it starts the threads, while they run, and after they have ended.
    fn main(&mut self, threads: usize) -> [Vec<Statement>; 3] {
        let mut parts: [Vec<Statement>; 3] = Default::default();
        if self.random.one_in(4) {
            let write = self.write();
            parts[0].push(Statement::Store(write, Value::Number(1)));
            if self.pointers {
                parts[0].push(Statement::Publish(self.write(), Value::Number(1)));
            }
        }
        if threads == 2 && self.random.one_in(4) {
            parts[1].push(self.access());
        }
        if self.random.one_in(4) {
            parts[2].push(Statement::Load(self.register(), self.read()));
            if self.random.one_in(4) {
                parts[2].push(Statement::Assert(self.register(), self.number()));
            }
        }
        parts
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
                    let values = [0, 0, 0, 1];
                    let (a, b) = (*self.random.pick(&values), *self.random.pick(&values));
                    return Statement::Double(self.register(), a, b);
                }
                Statement::Section(self.section())
            }
            16..=17 if self.locks && depth == 0 => {
                let body = (0..1 + self.random.below(2)).map(|_| self.access()).collect();
                Statement::Locked(self.family.lock, body)
            }
            18 if depth == 0 && self.random.one_in(2) => Statement::Twice(vec![self.access()]),
            19 if depth == 0 && self.random.one_in(4) => {
                Statement::Await(self.register(), 1 + self.number(), self.read())
            }
            20 if !self.family.updates.is_empty() && self.random.one_in(2) => {
                let &(order, tags, failure) = self.random.pick(self.family.updates);
                let access = Access { place: self.place(), order, tags };
                Statement::Retry { old: self.register(), access, failure, desired: self.value() }
            }
            13..=15 if self.pointers => match self.random.below(3) {
                0 => {
                    let zero = self.random.one_in(2);
                    let value = if zero { Value::Number(0) } else { self.value() };
                    Statement::Publish(self.write(), value)
                }
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

    /// One to three things in an atomic section; it may wait, choose, or update.
    fn section(&mut self) -> Vec<Statement> {
        let count = 1 + self.random.below(2);
        let mut body: Vec<Statement> = (0..count).map(|_| self.access()).collect();
        let at = self.random.below(count + 1);
        match self.random.below(8) {
            0 => body.insert(at, Statement::Assume(self.register(), self.number())),
            1 => body.insert(at, Statement::Choose(self.register())),
            2 => {
                let fence = self.random.pick::<&'static str>(self.family.fences);
                body.insert(at, Statement::Fence(fence));
            }
            3 if !self.family.updates.is_empty() => {
                let &(order, tags, _) = self.random.pick(self.family.updates);
                let access = Access { place: self.place(), order, tags };
                body.insert(at, Statement::Update(self.register(), "add", access, self.value()));
            }
            4 => {
                let then = vec![self.access()];
                body.insert(at, Statement::If(self.register(), self.number(), then, Vec::new()));
            }
            _ => {}
        }
        body
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
