//! Random programs as data: threads of a few statements, which print as load-store language.

use std::fmt::Write;

/// A program whose threads run at once, between `main`'s spawns and joins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sketch {
    /// The threads.
    pub threads: Vec<Vec<Statement>>,
    /// Whether each thread is one operation of a data type.
    pub operations: bool,
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
    /// A compare-and-swap of two words: `x` and `y`, from 0 to 1.
    Double(usize),
    /// A new block with this content is stored to the pointer `p`.
    Publish(Access, Value),
    /// The pointer is read; if it is not null, the statements are executed.
    Follow(Access, Vec<Statement>),
    /// The block that the pointer register points to is freed.
    Free,
    /// A register is not this number, or the program is wrong.
    Assert(usize, i32),
    /// A register is not this number, or the execution is not looked at.
    Assume(usize, i32),
}

const GLOBALS: [&str; 3] = ["x", "y", "z"];

/// How many registers a thread has.
pub const REGISTERS: usize = 4;

impl Sketch {
    /// The program in the text form.
    pub fn text(&self) -> String {
        let mut out = String::from("fpir 1\nentry main\n\n");
        for name in GLOBALS {
            let _ = writeln!(out, "global @{name}: 4 align 4");
        }
        out.push_str("global @a: 8 align 4\nglobal @p: 8 align 8\n\nfn main() -> i32 {\n");
        for index in 0..self.threads.len() {
            let _ = writeln!(out, "  reg %h{index}: i64, %j{index}: i64");
        }
        out.push_str("b0:\n");
        for index in 0..self.threads.len() {
            let _ = writeln!(out, "  %h{index} = spawn t{index}()");
        }
        for index in 0..self.threads.len() {
            let _ = writeln!(out, "  %j{index} = join %h{index}");
        }
        out.push_str("  return i32 0\n}\n");
        for (index, thread) in self.threads.iter().enumerate() {
            let _ = write!(
                out,
                "\nfn t{index}() -> i64 {{\n{}}}\n",
                Thread::print(thread, self.operations)
            );
        }
        out
    }

    /// All sketches with one statement less, or one that is simpler.
    pub fn smaller(&self) -> Vec<Sketch> {
        let mut all = Vec::new();
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
            Statement::Follow(access, body) => {
                all.extend(again(&|body| Statement::Follow(access.clone(), body), body));
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
    fn print(statements: &[Statement], operation: bool) -> String {
        let mut thread = Thread { blocks: vec![String::new()], ..Thread::default() };
        for index in 0..REGISTERS {
            thread.registers.push((format!("r{index}"), "i32"));
            thread.line(format!("%r{index} = copy i32 0"));
        }
        thread.registers.push(("q".to_string(), "i64"));
        thread.line("%q = copy i64 0".to_string());
        if operation {
            thread.line("op_begin \"o\"()".to_string());
        }
        thread.statements(statements);
        for index in 0..REGISTERS {
            thread.line(format!("observe \"r{index}\", %r{index}"));
        }
        if operation {
            thread.line("op_end".to_string());
        }
        thread.line("return i64 0".to_string());
        let mut out = String::new();
        for (name, width) in &thread.registers {
            let _ = writeln!(out, "  reg %{name}: {width}");
        }
        for (index, block) in thread.blocks.iter().enumerate() {
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
        let tags = match access.tags {
            "" => String::new(),
            tags => format!(" tags({tags})"),
        };
        format!("{width} [{address}]{tags}")
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
            Statement::Double(register) => {
                let bit = self.fresh("i1");
                self.line(format!("{bit} = mcas (rlx i32 [@x], 0, 1), (rlx i32 [@y], 0, 1)"));
                self.line(format!("%r{register} = zext {bit} to i32"));
            }
            Statement::Publish(access, value) => {
                let block = self.fresh("i64");
                self.line(format!("{block} = alloc 4 align 4"));
                let value = self.value(*value);
                self.line(format!("store i32 [{block}], {value}"));
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
        }
    }
}
