//! Prints a sketch as an idiomatic C program with POSIX threads.

use crate::agree::sketch::{
    Access, Arithmetic, GLOBALS, Library, Narrow, Place, REGISTERS, Sketch, Statement, Value,
};
use std::fmt::Write;

/// The function that observes what is in memory in the end; it is not called.
pub(super) const OBSERVER: &str = "in_the_end";

/// What it observes, by the names that the oracle has for these places.
pub(super) const FINALS: [&str; 5] = ["x", "y", "z", "a", "a+4"];

/// What is said of a thread that `main` does not await: what is in memory when `main` returns is not
/// what is there when all threads have ended.
pub(super) const NOT_AWAITED: &str = "is not awaited";

/// What the shared pointer to a function may point to.
pub(super) const HOOKS: [(&str, &str); 3] = [
    ("same", "return n;"),
    ("look", "return n + __atomic_load_n(&x, __ATOMIC_RELAXED);"),
    ("tell", "__atomic_store_n(&y, n + 1, __ATOMIC_RELAXED); return 1;"),
];

/// Parts of globals, and two elements at once.
pub(super) const PARTS: [(&str, &str); 6] = [
    ("unsigned short", "x"),
    ("unsigned short", "x + 1"),
    ("unsigned char", "x + 1"),
    ("unsigned char", "y"),
    ("unsigned short", "y"),
    ("long", "a"),
];

impl Sketch {
    /// The program in C: two threads are joined in a loop.
    pub(super) fn c_text(&self) -> String {
        let mut out = String::from(
            "#include <assert.h>\n#include <fencepost.h>\n#include <limits.h>\n\
             #include <pthread.h>\n#include <stdlib.h>\n\n",
        );
        let count = self.threads.len();
        let own: Vec<String> = (0..=count).map(|thread| format!("own{thread}")).collect();
        let _ = writeln!(out, "static int {}, *p;", GLOBALS.join(", "));
        out.push_str("static _Alignas(8) int a[2];\n");
        let _ = writeln!(out, "static int {};", own.join(", "));
        out.push_str("static float f;\n");
        for (function, body) in HOOKS {
            let _ = writeln!(out, "static int {function}(int n) {{ {body} }}");
        }
        let _ = writeln!(out, "static int (*hook)(int) = {};", HOOKS[0].0);
        out.push_str("static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;\n");
        out.push_str("static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;\n");
        let _ = writeln!(out, "\nvoid {OBSERVER}(void) {{");
        for (label, place) in FINALS.iter().zip(["x", "y", "z", "a[0]", "a[1]"]) {
            let _ = writeln!(out, "    fp_observe(\"{label}\", {place});");
        }
        out.push_str("}\n");
        // The last thread, if the one before starts it.
        let inner = (self.nested && count > 1).then_some(count - 1);
        if let Some(inner) = inner {
            let _ = writeln!(out, "\nstatic unsigned long inner;");
            let _ = writeln!(out, "static void *t{inner}(void *unused);");
        }
        for (index, thread) in self.threads.iter().enumerate() {
            let _ = writeln!(out, "\nstatic void *t{index}(void *unused) {{");
            let mut printer = Printer { out: &mut out, depth: 1, loops: 0, thread: index + 1 };
            printer.registers();
            let (first, rest) = thread.split_at(thread.len() / 2);
            printer.statements(first);
            if let Some(inner) = inner.filter(|inner| index + 1 == *inner) {
                printer.line(&format!("inner = __fp_spawn(t{inner}, NULL);"));
            }
            printer.statements(rest);
            printer.observe();
            out.push_str("    return unused;\n}\n");
        }
        out.push_str("\nint main(void) {\n");
        let mut printer = Printer { out: &mut out, depth: 1, loops: 0, thread: 0 };
        printer.registers();
        printer.line(&format!("unsigned long threads[{count}];"));
        let [before, meanwhile, after] = &self.main;
        printer.statements(before);
        // What `pthread_create` is made of: it has two places that start a thread, and the solver
        // numbers threads by places, the oracle by starts.
        let own: Vec<usize> = (0..count).filter(|&index| Some(index) != inner).collect();
        for (number, index) in own.iter().enumerate() {
            printer.line(&format!("threads[{number}] = __fp_spawn(t{index}, NULL);"));
        }
        printer.statements(meanwhile);
        let own = match own.split_last() {
            Some((last, others)) if self.unjoined => {
                printer.line(&format!("// t{last} {NOT_AWAITED}"));
                if self.detached {
                    printer.line(&format!("__fp_detach(threads[{}]);", others.len()));
                }
                others.to_vec()
            }
            _ => own,
        };
        // Where a thread may go wrong, each round of this loop counts, and few are followed.
        if own.len() < 3 {
            printer.line(&format!("for (int i = 0; i < {}; i++)", own.len()));
            printer.line("    __fp_join(threads[i]);");
        } else {
            (0..own.len()).for_each(|i| printer.line(&format!("__fp_join(threads[{i}]);")));
        }
        if inner.is_some() {
            printer.line("__fp_join(inner);");
        }
        printer.statements(after);
        if self.main.iter().any(|part| !part.is_empty()) {
            printer.observe();
        }
        out.push_str("    return 0;\n}\n");
        out
    }
}

struct Printer<'a> {
    out: &'a mut String,
    depth: usize,
    /// How many loop variables there are.
    loops: usize,
    /// The number of the thread.
    thread: usize,
}

impl Printer<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.out, "{}{line}", "    ".repeat(self.depth));
    }

    /// The variables of a function.
    fn registers(&mut self) {
        let registers: Vec<String> = (0..REGISTERS).map(|i| format!("r{i} = 0")).collect();
        self.line(&format!("int {}, *q = NULL;", registers.join(", ")));
        self.line("(void)q, (void)r0, (void)r1, (void)r2, (void)r3;");
    }

    fn observe(&mut self) {
        for register in 0..REGISTERS {
            let thread = self.thread;
            self.line(&format!("fp_observe(\"{thread}:r{register}\", r{register});"));
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn block(&mut self, head: &str, body: &[Statement]) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        self.statements(body);
        self.depth -= 1;
        self.line("}");
    }

    /// The head of a loop of two rounds.
    fn twice(&mut self) -> String {
        let name = format!("i{}", self.loops);
        self.loops += 1;
        format!("for (int {name} = 0; {name} < 2; {name}++)")
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Load(register, access) => {
                self.line(&format!("r{register} = {};", load(access)));
            }
            Statement::Store(access, value) => self.line(&store(access, &number(*value))),
            Statement::Fence(order) => {
                self.line(&format!("__atomic_thread_fence({});", memory_order(order)));
            }
            Statement::Update(register, op, access, value) => {
                let function = if *op == "xchg" { "exchange_n" } else { "fetch_add" };
                let (place, order) = (place(access.place), memory_order(access.order));
                let value = number(*value);
                self.line(&format!(
                    "r{register} = __atomic_{function}(&{place}, {value}, {order});"
                ));
            }
            Statement::Swap { old, weak, access, failure, expected, desired } => {
                let (expected, desired) = (number(*expected), number(*desired));
                self.line(&swap(*old, *weak, access, failure, &expected, &desired));
            }
            Statement::If(register, number, then, otherwise) => {
                self.block(&format!("if (r{register} == {number})"), then);
                if !otherwise.is_empty() {
                    self.block("else", otherwise);
                }
            }
            Statement::Select(register, by, a, b) => {
                let (a, b) = (number(*a), number(*b));
                self.line(&format!("r{register} = r{by} == 0 ? {a} : {b};"));
            }
            Statement::Choose(register) => self.line(&format!("r{register} = fp_choose(0, 1);")),
            Statement::Locked(_, body) => {
                self.line("pthread_mutex_lock(&mutex);");
                self.statements(body);
                self.line("pthread_mutex_unlock(&mutex);");
            }
            Statement::Twice(body) => {
                let head = self.twice();
                self.block(&head, body);
            }
            Statement::Retry { old, access, failure, desired } => {
                let head = self.twice();
                self.line(&format!("{head} {{"));
                let swap = swap(*old, false, access, failure, "0", &number(*desired));
                self.line(&format!("    {swap}"));
                self.line(&format!("    if (r{old} == 0) break;"));
                self.line("}");
            }
            Statement::Await(register, number, access) => {
                let read = format!("r{register} = {}", load(access));
                // Both forms mean the same; one reads again what it keeps of its last read.
                if register % 2 == 0 {
                    self.line(&format!("while (({read}) != {number})"));
                    self.line("    ;");
                } else {
                    self.line(&format!("{read};"));
                    self.line(&format!("while (r{register} != {number})"));
                    self.line(&format!("    {read};"));
                }
            }
            Statement::Publish(access, value) => {
                self.line(&match value {
                    Value::Number(0) => "{ int *n = calloc(1, sizeof *n);".to_string(),
                    value => format!("{{ int *n = malloc(sizeof *n); *n = {};", number(*value)),
                });
                let text = store_to("p", access.order, "n");
                self.line(&format!("{text} }}"));
            }
            Statement::Follow(access, body) => {
                self.line(&format!("q = {};", load_from("p", access.order)));
                self.block("if (q != NULL)", body);
            }
            Statement::Free => self.line("free(q);"),
            Statement::Assert(register, number) => {
                self.line(&format!("assert(r{register} != {number});"));
            }
            Statement::Assume(register, number) => {
                self.line(&format!("fp_assume(r{register} != {number});"));
            }
            Statement::Library(what, body) => self.library(*what, body),
            Statement::Section(_) | Statement::Double(..) | Statement::Exclusive { .. } => {
                unreachable!("families of C programs have none of these")
            }
        }
    }

    fn part(&mut self, what: Narrow, (kind, place): (&str, &str), register: usize) {
        let place = match place {
            "a" => format!("({kind} *)a"),
            place => format!("({kind} *)&{place}"),
        };
        let order =
            if register.is_multiple_of(2) { "__ATOMIC_RELAXED" } else { "__ATOMIC_SEQ_CST" };
        self.line(&match what {
            Narrow::Load => format!("r{register} = __atomic_load_n({place}, {order});"),
            Narrow::Store => format!("__atomic_store_n({place}, r{register} + 1, {order});"),
            Narrow::Add => format!("r{register} = __atomic_fetch_add({place}, 1, {order});"),
            Narrow::Swap => format!(
                "{{ {kind} e = 0; __atomic_compare_exchange_n({place}, &e, 1, 0, {order}, \
                 __ATOMIC_RELAXED); r{register} = e; }}"
            ),
        });
    }

    fn library(&mut self, what: Library, body: &[Statement]) {
        let mut release: &[&str] = &[];
        match what {
            Library::TryLock => {
                self.line("if (pthread_mutex_trylock(&mutex) == 0) {");
                self.depth += 1;
                self.statements(body);
                self.line("pthread_mutex_unlock(&mutex);");
                self.depth -= 1;
                self.line("}");
                return;
            }
            Library::SpinLock => {
                self.line("while (pthread_mutex_trylock(&other))");
                self.line("    ;");
                release = &["other"];
            }
            Library::Poll(register, global) => {
                let read = format!("r{register} = {};", GLOBALS[global]);
                self.line("do {");
                self.line("    pthread_mutex_lock(&other);");
                self.line(&format!("    {read}"));
                self.line("    pthread_mutex_unlock(&other);");
                self.line(&format!("}} while (r{register} != 1);"));
            }
            Library::Release => self.line("pthread_mutex_unlock(&other);"),
            Library::OtherLock => {
                self.line("pthread_mutex_lock(&other);");
                release = &["other"];
            }
            Library::BothLocks { other_first } => {
                release = if other_first { &["other", "mutex"] } else { &["mutex", "other"] };
                release
                    .iter()
                    .for_each(|mutex| self.line(&format!("pthread_mutex_lock(&{mutex});")));
            }
            Library::KeepLock => self.line("pthread_mutex_lock(&other);"),
            Library::OwnUpdate => {
                let thread = self.thread;
                self.line(&format!("__atomic_fetch_add(&own{thread}, 1, __ATOMIC_RELAXED);"));
            }
            Library::Allocate => self.line("q = malloc(sizeof *q); *q = 1;"),
            Library::Float(register, by) => {
                self.line(&format!("f = (f + r{by}) / 2;"));
                self.line(&format!("r{register} = f * 4;"));
            }
            Library::Compute(what, register, by) => {
                let text = match what {
                    Arithmetic::Sum => format!("r{by} + INT_MAX"),
                    Arithmetic::Product => format!("r{by} * (INT_MAX / 2)"),
                    Arithmetic::Shift => format!("1 << (30 + (r{by} & 3))"),
                    Arithmetic::Always => format!("(r{by} | INT_MAX) + 1"),
                    Arithmetic::Quotient => format!("INT_MIN / (r{by} ? -(r{by} & 3) | 1 : 2)"),
                };
                self.line(&format!("r{register} = {text};"));
            }
            Library::Keep => self.line("p = q;"),
            Library::Hook(index) => {
                let function = HOOKS[index].0;
                self.line(&format!("__atomic_store_n(&hook, {function}, __ATOMIC_RELAXED);"));
            }
            Library::Call(register) => {
                let hook = "__atomic_load_n(&hook, __ATOMIC_RELAXED)";
                self.line(&format!("r{register} = {hook}(r{register});"));
            }
            Library::Toggle(global, until) => {
                let [global, until] = [global, until].map(|index| GLOBALS[index]);
                let store = |n| format!("    __atomic_store_n(&{global}, {n}, __ATOMIC_RELAXED);");
                self.line(&format!("while (__atomic_load_n(&{until}, __ATOMIC_RELAXED) != 1) {{"));
                self.line(&store(1));
                self.line(&store(2));
                self.line("}");
            }
            Library::Discard(number) => {
                self.line("__VERIFIER_atomic_begin();");
                self.line("{ int n = y; y = n + 1;");
                self.line(&format!("__VERIFIER_assume(n != {number} && x != {number}); }}"));
                self.line("__VERIFIER_atomic_end();");
            }
            Library::Part(what, part, register) => self.part(what, PARTS[part], register),
            Library::MayKeepLock(register) => {
                self.line("pthread_mutex_lock(&mutex);");
                self.statements(body);
                self.line(&format!("if (r{register} == 0) pthread_mutex_unlock(&mutex);"));
                return;
            }
        }
        self.statements(body);
        for mutex in release {
            self.line(&format!("pthread_mutex_unlock(&{mutex});"));
        }
    }
}

/// A compare-and-swap; the register holds what was there.
fn swap(
    old: usize,
    weak: bool,
    access: &Access,
    failure: &str,
    expected: &str,
    desired: &str,
) -> String {
    let (place, order) = (place(access.place), memory_order(access.order));
    let (weak, failure) = (u8::from(weak), memory_order(failure));
    format!(
        "{{ int e = {expected}; __atomic_compare_exchange_n(&{place}, &e, {desired}, {weak}, \
         {order}, {failure}); r{old} = e; }}"
    )
}

fn load(access: &Access) -> String {
    load_from(&place(access.place), access.order)
}

fn load_from(place: &str, order: &str) -> String {
    match order {
        "" => place.to_string(),
        order => format!("__atomic_load_n(&{place}, {})", memory_order(order)),
    }
}

fn store(access: &Access, value: &str) -> String {
    store_to(&place(access.place), access.order, value)
}

fn store_to(place: &str, order: &str, value: &str) -> String {
    match order {
        "" => format!("{place} = {value};"),
        order => format!("__atomic_store_n(&{place}, {value}, {});", memory_order(order)),
    }
}

fn memory_order(order: &str) -> &'static str {
    match order {
        ".rlx" => "__ATOMIC_RELAXED",
        ".acq" => "__ATOMIC_ACQUIRE",
        ".rel" => "__ATOMIC_RELEASE",
        ".acqrel" => "__ATOMIC_ACQ_REL",
        _ => "__ATOMIC_SEQ_CST",
    }
}

fn place(place: Place) -> String {
    match place {
        Place::Global(index) => GLOBALS[index].to_string(),
        Place::Depending(index, register) => {
            format!("(&{})[r{register} ^ r{register}]", GLOBALS[index])
        }
        Place::Element(register) => format!("a[r{register} & 1]"),
        Place::Pointer => "*q".to_string(),
    }
}

fn number(value: Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Register(register) => format!("r{register}"),
        Value::Sum(register, number) => format!("r{register} + {number}"),
        Value::Depending(register, number) => format!("(r{register} ^ r{register}) + {number}"),
    }
}
