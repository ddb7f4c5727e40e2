//! Random programs as data: threads of a few statements, which print as load-store language.

use std::fmt::Write;

/// A program whose threads run at once, between `main`'s spawns and joins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sketch {
    /// The threads.
    pub threads: Vec<Vec<Statement>>,
    /// What `main` does before it starts the threads, while they run, and after they have ended.
    pub main: [Vec<Statement>; 3],
    /// Whether each thread is one operation of a data type.
    pub operations: bool,
    /// Whether the last thread is started by the one before, in the middle of what it does (in C).
    pub nested: bool,
    /// Whether `main` does not await the last thread that it starts (in C).
    pub unjoined: bool,
    /// Whether it detaches that thread (in C).
    pub detached: bool,
}

/// Where an access goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A global of four bytes: `x`, `y` or `z`.
    Global(usize),
    /// The same, at an address that depends on a register without changing with it.
    Depending(usize, usize),
    /// An element of an array of two, by the lowest bit of a register.
    Element(usize),
    /// What the register of this thread that holds a pointer points to.
    Pointer,
}

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// A number.
    Number(i32),
    /// A register.
    Register(usize),
    /// A register plus a number.
    Sum(usize, i32),
    /// A number, computed from a register.
    Depending(usize, i32),
}

/// An access: memory orders and tags as the text form writes them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Access {
    /// Where.
    pub place: Place,
    /// `.rlx` and so on, or nothing.
    pub order: &'static str,
    /// Tags, or nothing.
    pub tags: &'static str,
}

/// How a program for some models takes and releases a lock.
#[derive(PartialEq, Eq, Debug)]
pub struct Lock {
    /// Order and tags of the exchange; `None` for a pair of exclusive accesses.
    pub exchange: Option<(&'static str, &'static str)>,
    /// The fence after it, or nothing.
    pub after: &'static str,
    /// The fence before the release, or nothing.
    pub before: &'static str,
    /// Order and tags of the release.
    pub release: (&'static str, &'static str),
}

/// A statement. Registers of a thread are numbered from zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// Reads into a register.
    Load(usize, Access),
    /// Writes.
    Store(Access, Value),
    /// A fence, as the text form writes it.
    Fence(&'static str),
    /// A read-modify-write.
    Update(usize, &'static str, Access, Value),
    /// A compare-and-swap: old value, access, order on failure, expected, desired.
    Swap {
        old: usize,
        weak: bool,
        access: Access,
        failure: &'static str,
        expected: Value,
        desired: Value,
    },
    /// An exclusive load, and an exclusive store that may fail: the register holds whether.
    Exclusive { old: usize, failed: usize, load: Access, store: Access, value: Value },
    /// Whether a register is this number.
    If(usize, i32, Vec<Statement>, Vec<Statement>),
    /// A register becomes one of two, by whether another one is zero.
    Select(usize, usize, Value, Value),
    /// A choice between 0 and 1.
    Choose(usize),
    /// An atomic section.
    Section(Vec<Statement>),
    /// A compare-and-swap of two words: `x` and `y`, from these values to 1.
    Double(usize, i32, i32),
    /// The statements are executed by one thread at a time: a lock is taken and released.
    Locked(&'static Lock, Vec<Statement>),
    /// The statements are executed twice.
    Twice(Vec<Statement>),
    /// A compare-and-swap of 0, tried again once if it fails: the register holds what it read.
    Retry { old: usize, access: Access, failure: &'static str, desired: Value },
    /// Reads until the register is this number.
    Await(usize, i32, Access),
    /// A new block with this content is stored to the pointer `p`; if that is 0, a block of zeros.
    Publish(Access, Value),
    /// The pointer is read; if it is not null, the statements are executed.
    Follow(Access, Vec<Statement>),
    /// The block that the pointer register points to is freed.
    Free,
    /// A register is not this number, or the program is wrong.
    Assert(usize, i32),
    /// A register is not this number, or the execution is discarded.
    Assume(usize, i32),
    /// What only C programs have.
    Library(Library, Vec<Statement>),
}

/// What is done to a part of a global, or to two elements at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Narrow {
    /// It is read.
    Load,
    /// A register is written.
    Store,
    /// One is added.
    Add,
    /// It is set to 1 if it is 0.
    Swap,
}

/// What only C programs do: most of it around other statements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Library {
    /// With a mutex, if no other thread holds it.
    TryLock,
    /// With a mutex, which is tried until no other thread holds it.
    SpinLock,
    /// With another mutex.
    OtherLock,
    /// Reads a global into a register, with the other mutex each time, until it is 1.
    Poll(usize, usize),
    /// With both, in one order or the other.
    BothLocks { other_first: bool },
    /// Another mutex is released, whether the thread holds it or not.
    Release,
    /// With another mutex, which is never released.
    KeepLock,
    /// After an update of a global that no other thread accesses.
    OwnUpdate,
    /// After a block was allocated that may be lost.
    Allocate,
    /// After a register becomes what may overflow for some values of a second one.
    Compute(Arithmetic, usize, usize),
    /// After the block that the pointer register points to becomes that of the pointer `p`.
    Keep,
    /// With a mutex, which is released only if a register is zero.
    MayKeepLock(usize),
    /// After an access to a part of a global, or to two elements at once, with a register: the
    /// so-many-th such place.
    Part(Narrow, usize, usize),
    /// After a shared `float` becomes its mean with a register, and another register a multiple
    /// of that.
    Float(usize, usize),
    /// After the shared pointer to a function becomes that of one of them.
    Hook(usize),
    /// After a register becomes what the function says that the shared pointer points to.
    Call(usize),
    /// After a global went back and forth between 1 and 2 until another one is 1.
    Toggle(usize, usize),
    /// After an atomic section, which discards the execution if a global holds this number.
    Discard(i32),
}

/// A computation that overflows for some operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    /// Plus the largest number.
    Sum,
    /// Times half of the largest number.
    Product,
    /// A one that is shifted by as much as 30 and the operand.
    Shift,
    /// The smallest number, divided by the negated operand.
    Quotient,
    /// A sum that always overflows.
    Always,
}

/// The names of the globals.
pub const GLOBALS: [&str; 3] = ["x", "y", "z"];

/// How many registers a thread has.
pub const REGISTERS: usize = 4;

impl Sketch {
    /// The program in the text form.
    pub fn text(&self) -> String {
        let mut out = String::from("fpir 1\nentry main\n\n");
        for name in GLOBALS {
            let _ = writeln!(out, "global @{name}: 4 align 4");
        }
        out.push_str("global @m: 4 align 4\nglobal @a: 8 align 4\nglobal @p: 8 align 8\n");
        let _ = write!(out, "\nfn main() -> i32 {{\n{}}}\n", self.main_text());
        for (index, thread) in self.threads.iter().enumerate() {
            let _ = write!(
                out,
                "\nfn t{index}() -> i64 {{\n{}}}\n",
                Thread::print(thread, self.operations)
            );
        }
        out
    }

    fn main_text(&self) -> String {
        let mut main = Thread::new();
        let [before, meanwhile, after] = &self.main;
        main.statements(before);
        for index in 0..self.threads.len() {
            let handles = [format!("h{index}"), format!("j{index}")];
            main.registers.extend(handles.map(|name| (name, "i64")));
            main.line(format!("%h{index} = spawn t{index}()"));
        }
        main.statements(meanwhile);
        for index in 0..self.threads.len() - usize::from(self.unjoined) {
            main.line(format!("%j{index} = join %h{index}"));
        }
        main.statements(after);
        if self.main.iter().any(|part| !part.is_empty()) {
            main.observe();
        }
        main.line("return i32 0".to_string());
        main.text()
    }

    /// All sketches with one statement less, or one that is simpler.
    pub fn smaller(&self) -> Vec<Sketch> {
        let mut all = Vec::new();
        if self.nested {
            all.push(Sketch { nested: false, ..self.clone() });
        }
        if self.unjoined {
            all.push(Sketch { unjoined: false, detached: false, ..self.clone() });
        }
        if self.detached {
            all.push(Sketch { detached: false, ..self.clone() });
        }
        for (index, part) in self.main.iter().enumerate() {
            for list in shorter(part) {
                let mut smaller = self.clone();
                smaller.main[index] = list;
                all.push(smaller);
            }
        }
        for index in 0..self.threads.len() {
            let mut fewer = self.clone();
            fewer.threads.remove(index);
            if !fewer.threads.is_empty() {
                all.push(fewer);
            }
            for list in shorter(&self.threads[index]) {
                let mut smaller = self.clone();
                smaller.threads[index] = list;
                all.push(smaller);
            }
        }
        all
    }
}

/// All lists with one statement less, or with a part of a compound one in its place.
fn shorter(list: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    for (index, statement) in list.iter().enumerate() {
        let with = |parts: Vec<Statement>| {
            let mut list = list.to_vec();
            list.splice(index..=index, parts);
            list
        };
        all.push(with(Vec::new()));
        let again = |make: &dyn Fn(Vec<Statement>) -> Statement, body: &[Statement]| {
            shorter(body).into_iter().map(|body| with(vec![make(body)])).collect::<Vec<_>>()
        };
        match statement {
            Statement::If(register, number, then, otherwise) => {
                all.push(with(then.clone()));
                let (r, n) = (*register, *number);
                all.extend(again(&|body| Statement::If(r, n, body, otherwise.clone()), then));
                all.extend(again(&|body| Statement::If(r, n, then.clone(), body), otherwise));
            }
            Statement::Section(body) => {
                all.push(with(body.clone()));
                all.extend(again(&Statement::Section, body));
            }
            Statement::Locked(lock, body) => {
                all.push(with(body.clone()));
                all.extend(again(&|body| Statement::Locked(lock, body), body));
            }
            Statement::Twice(body) => {
                all.push(with(body.clone()));
                all.extend(again(&Statement::Twice, body));
            }
            Statement::Follow(access, body) => {
                all.extend(again(&|body| Statement::Follow(access.clone(), body), body));
            }
            Statement::Library(what, body) => {
                all.push(with(body.clone()));
                all.extend(again(&|body| Statement::Library(*what, body), body));
            }
            _ => {}
        }
    }
    all
}

/// A thread that is being printed.
#[derive(Default)]
struct Thread {
    registers: Vec<(String, &'static str)>,
    blocks: Vec<String>,
    current: usize,
}

impl Thread {
    /// A function with its registers.
    fn new() -> Thread {
        let mut thread = Thread { blocks: vec![String::new()], ..Thread::default() };
        for index in 0..REGISTERS {
            thread.registers.push((format!("r{index}"), "i32"));
            thread.line(format!("%r{index} = copy i32 0"));
        }
        thread.registers.push(("q".to_string(), "i64"));
        thread.line("%q = copy i64 0".to_string());
        thread
    }

    fn print(statements: &[Statement], operation: bool) -> String {
        let mut thread = Thread::new();
        if operation {
            thread.line("op_begin \"o\"()".to_string());
        }
        thread.statements(statements);
        thread.observe();
        if operation {
            thread.line("op_end".to_string());
        }
        thread.line("return i64 0".to_string());
        thread.text()
    }

    fn observe(&mut self) {
        for index in 0..REGISTERS {
            self.line(format!("observe \"r{index}\", %r{index}"));
        }
    }

    fn text(&self) -> String {
        let mut out = String::new();
        for (name, width) in &self.registers {
            let _ = writeln!(out, "  reg %{name}: {width}");
        }
        for (index, block) in self.blocks.iter().enumerate() {
            let _ = write!(out, "b{index}:\n{block}");
        }
        out
    }

    fn line(&mut self, line: String) {
        let _ = writeln!(self.blocks[self.current], "  {line}");
    }

    fn fresh(&mut self, width: &'static str) -> String {
        let name = format!("t{}", self.registers.len());
        self.registers.push((name.clone(), width));
        format!("%{name}")
    }

    fn block(&mut self) -> usize {
        self.blocks.push(String::new());
        self.blocks.len() - 1
    }

    fn statements(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    /// An address that is always this one, computed from a register.
    fn depending(&mut self, base: &str, register: usize) -> String {
        let [zero, wide, address] = [self.fresh("i32"), self.fresh("i64"), self.fresh("i64")];
        self.line(format!("{zero} = xor i32 %r{register}, %r{register}"));
        self.line(format!("{wide} = zext {zero} to i64"));
        self.line(format!("{address} = add i64 {base}, {wide}"));
        address
    }

    fn address(&mut self, place: Place) -> String {
        match place {
            Place::Global(index) => format!("@{}", GLOBALS[index]),
            Place::Depending(index, register) => {
                self.depending(&format!("@{}", GLOBALS[index]), register)
            }
            Place::Element(register) => {
                let [bit, wide, offset, address] =
                    [self.fresh("i32"), self.fresh("i64"), self.fresh("i64"), self.fresh("i64")];
                self.line(format!("{bit} = and i32 %r{register}, 1"));
                self.line(format!("{wide} = zext {bit} to i64"));
                self.line(format!("{offset} = mul i64 {wide}, 4"));
                self.line(format!("{address} = add i64 @a, {offset}"));
                address
            }
            Place::Pointer => "%q".to_string(),
        }
    }

    fn access(&mut self, access: &Access, width: &str) -> String {
        let address = self.address(access.place);
        format!("{width} [{address}]{}", tagged(access.tags))
    }

    fn value(&mut self, value: Value) -> String {
        match value {
            Value::Number(number) => number.to_string(),
            Value::Register(register) => format!("%r{register}"),
            Value::Sum(register, number) => {
                let sum = self.fresh("i32");
                self.line(format!("{sum} = add i32 %r{register}, {number}"));
                sum
            }
            Value::Depending(register, number) => {
                let [zero, sum] = [self.fresh("i32"), self.fresh("i32")];
                self.line(format!("{zero} = xor i32 %r{register}, %r{register}"));
                self.line(format!("{sum} = add i32 {zero}, {number}"));
                sum
            }
        }
    }

    /// Whether a register is this number.
    fn test(&mut self, word: &str, register: usize, number: i32) -> String {
        let bit = self.fresh("i1");
        self.line(format!("{bit} = {word} i32 %r{register}, {number}"));
        bit
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Load(register, access) => {
                let place = self.access(access, "i32");
                self.line(format!("%r{register} = load{} {place}", access.order));
            }
            Statement::Store(access, value) => {
                let place = self.access(access, "i32");
                let value = self.value(*value);
                self.line(format!("store{} {place}, {value}", access.order));
            }
            Statement::Fence(fence) => self.line(format!("fence{fence}")),
            Statement::Update(register, op, access, value) => {
                let place = self.access(access, "i32");
                let value = self.value(*value);
                self.line(format!("%r{register} = rmw.{op}{} {place}, {value}", access.order));
            }
            Statement::Swap { old, weak, access, failure, expected, desired } => {
                let place = self.access(access, "i32");
                let (expected, desired) = (self.value(*expected), self.value(*desired));
                let weak = if *weak { ".weak" } else { "" };
                let order = access.order;
                self.line(format!(
                    "%r{old}, _ = cas{weak}{order}{failure} {place}, {expected}, {desired}"
                ));
            }
            Statement::Exclusive { old, failed, load, store, value } => {
                let place = self.access(load, "i32");
                self.line(format!("%r{old} = loadx{} {place}", load.order));
                let value = self.value(*value);
                let place = self.access(store, "i32");
                self.line(format!("%r{failed} = storex{} {place}, {value}", store.order));
            }
            Statement::If(register, number, then, otherwise) => {
                let bit = self.test("eq", *register, *number);
                let [yes, no, after] = [self.block(), self.block(), self.block()];
                self.line(format!("branch {bit}, b{yes}, b{no}"));
                for (block, body) in [(yes, then), (no, otherwise)] {
                    self.current = block;
                    self.statements(body);
                    self.line(format!("jump b{after}"));
                }
                self.current = after;
            }
            Statement::Select(register, by, a, b) => {
                let bit = self.test("eq", *by, 0);
                let (a, b) = (self.value(*a), self.value(*b));
                self.line(format!("%r{register} = select i32 {bit}, {a}, {b}"));
            }
            Statement::Choose(register) => self.line(format!("%r{register} = choose i32 0..1")),
            Statement::Section(body) => {
                self.line("atomic_begin".to_string());
                self.statements(body);
                self.line("atomic_end".to_string());
            }
            Statement::Double(register, a, b) => {
                let bit = self.fresh("i1");
                self.line(format!("{bit} = mcas (rlx i32 [@x], {a}, 1), (rlx i32 [@y], {b}, 1)"));
                self.line(format!("%r{register} = zext {bit} to i32"));
            }
            Statement::Locked(lock, body) => {
                self.take(lock);
                self.statements(body);
                let (order, tags) = lock.release;
                if !lock.before.is_empty() {
                    self.line(format!("fence{}", lock.before));
                }
                self.line(format!("store{order} i32 [@m]{}, 0", tagged(tags)));
            }
            Statement::Twice(body) => {
                let count = self.fresh("i32");
                self.line(format!("{count} = copy i32 0"));
                let again = self.block();
                self.line(format!("jump b{again}"));
                self.current = again;
                self.statements(body);
                self.line(format!("{count} = add i32 {count}, 1"));
                self.jump_if("ult", &count, 2, again);
            }
            Statement::Retry { old, access, failure, desired } => {
                let (count, done, failed) = (self.fresh("i32"), self.fresh("i1"), self.fresh("i1"));
                let tries = self.fresh("i32");
                self.line(format!("{count} = copy i32 0"));
                let again = self.block();
                self.line(format!("jump b{again}"));
                self.current = again;
                let place = self.access(access, "i32");
                let desired = self.value(*desired);
                let order = access.order;
                self.line(format!("%r{old}, {done} = cas{order}{failure} {place}, 0, {desired}"));
                self.line(format!("{count} = add i32 {count}, 1"));
                self.line(format!("{failed} = eq i1 {done}, 0"));
                self.line(format!("{tries} = select i32 {failed}, {count}, 2"));
                self.jump_if("ult", &tries, 2, again);
            }
            Statement::Await(register, number, access) => {
                let again = self.block();
                self.line(format!("jump b{again}"));
                self.current = again;
                let place = self.access(access, "i32");
                self.line(format!("%r{register} = load{} {place}", access.order));
                self.jump_if("ne", &format!("%r{register}"), *number, again);
            }
            Statement::Publish(access, value) => {
                let block = self.fresh("i64");
                if *value == Value::Number(0) {
                    self.line(format!("{block} = alloc 4 align 4 zeroed"));
                } else {
                    self.line(format!("{block} = alloc 4 align 4"));
                    let value = self.value(*value);
                    self.line(format!("store i32 [{block}], {value}"));
                }
                self.line(format!("store{} i64 [@p], {block}", access.order));
            }
            Statement::Follow(access, body) => {
                self.line(format!("%q = load{} i64 [@p]", access.order));
                let bit = self.fresh("i1");
                self.line(format!("{bit} = ne i64 %q, 0"));
                let [yes, after] = [self.block(), self.block()];
                self.line(format!("branch {bit}, b{yes}, b{after}"));
                self.current = yes;
                self.statements(body);
                self.line(format!("jump b{after}"));
                self.current = after;
            }
            Statement::Free => self.line("free %q".to_string()),
            Statement::Assert(register, number) => {
                let bit = self.test("ne", *register, *number);
                self.line(format!("assert {bit}, \"r{register}\""));
            }
            Statement::Assume(register, number) => {
                let bit = self.test("ne", *register, *number);
                self.line(format!("assume {bit}"));
            }
            Statement::Library(..) => unreachable!("only C programs have a library"),
        }
    }

    /// Goes back to a block if a register compares so with a number; on to a new one otherwise.
    fn jump_if(&mut self, word: &str, register: &str, number: i32, back: usize) {
        let bit = self.fresh("i1");
        self.line(format!("{bit} = {word} i32 {register}, {number}"));
        let after = self.block();
        self.line(format!("branch {bit}, b{back}, b{after}"));
        self.current = after;
    }

    /// Waits until the lock `m` is free, and takes it.
    fn take(&mut self, lock: &Lock) {
        let [old, failed] = [self.fresh("i32"), self.fresh("i32")];
        let bit = self.fresh("i1");
        self.line("atomic_begin".to_string());
        match lock.exchange {
            Some((order, tags)) => {
                self.line(format!("{old} = rmw.xchg{order} i32 [@m]{}, 1", tagged(tags)));
            }
            None => {
                self.line(format!("{old} = loadx i32 [@m]"));
                self.line(format!("{failed} = storex i32 [@m], 1"));
                let done = self.fresh("i1");
                self.line(format!("{done} = eq i32 {failed}, 0"));
                self.line(format!("assume {done}"));
            }
        }
        self.line(format!("{bit} = eq i32 {old}, 0"));
        self.line(format!("assume {bit}"));
        self.line("atomic_end".to_string());
        if !lock.after.is_empty() {
            self.line(format!("fence{}", lock.after));
        }
    }
}

fn tagged(tags: &str) -> String {
    match tags {
        "" => String::new(),
        tags => format!(" tags({tags})"),
    }
}
