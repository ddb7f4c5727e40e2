//! Random programs with locks, mostly used as they should be, sometimes not; some of their threads
//! are symmetric, or nearly so.

use crate::agree::random::Random;
use std::fmt::Write;

/// A kind of lock, and how it is made and used.
#[derive(Clone, Copy)]
struct Kind {
    type_name: &'static str,
    prefix: &'static str,
    /// What follows its name where it is declared.
    initial: &'static str,
}

const KINDS: [Kind; 4] = [
    Kind {
        type_name: "pthread_mutex_t",
        prefix: "pthread_mutex",
        initial: " = PTHREAD_MUTEX_INITIALIZER",
    },
    Kind {
        type_name: "pthread_mutex_t",
        prefix: "pthread_mutex",
        initial: " = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP",
    },
    Kind {
        type_name: "pthread_mutex_t",
        prefix: "pthread_mutex",
        initial: " = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP",
    },
    Kind { type_name: "pthread_spinlock_t", prefix: "pthread_spin", initial: "" },
];

/// A program in the making.
struct Writer<'a> {
    random: &'a mut Random,
    locks: Vec<Kind>,
    text: String,
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let random = &mut Random::new(seed);
    let mut locks = vec![KINDS[[0, 0, 0, 1, 2, 3][random.below(6)]]];
    if random.below(3) == 0 {
        locks.push(KINDS[0]);
    }
    let mut writer = Writer { random, locks, text: String::new() };
    writer.program();
    writer.text
}

impl Writer<'_> {
    fn program(&mut self) {
        self.text += "#include <pthread.h>\n#include <assert.h>\nint x, y;\n";
        for (number, kind) in self.locks.clone().into_iter().enumerate() {
            let _ = writeln!(self.text, "{} m{number}{};", kind.type_name, kind.initial);
        }
        self.text += "pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n";
        let threads = 2 + self.random.below(2);
        // Threads of one function are symmetric.
        let functions = 1 + self.random.below(threads);
        for function in 0..functions {
            let _ = writeln!(self.text, "void *f{function}(void *p) {{\n  int r = 0;");
            for _ in 0..1 + self.random.below(2) {
                self.statement(1);
            }
            let result = ["0", "0", "p", "(void *)(long)r"][self.random.below(4)];
            let _ = writeln!(self.text, "  (void)r; return {result};\n}}");
        }
        self.text += "int main(void) {\n  int r = 0;\n  void *v;\n";
        let _ = writeln!(self.text, "  pthread_t t[{threads}];");
        if self.random.below(6) == 0 {
            self.statement(1);
        }
        for thread in 0..threads {
            let function = if thread < functions { thread } else { self.random.below(functions) };
            let argument = if self.random.one_in(4) { thread } else { 0 };
            let start =
                format!("pthread_create(&t[{thread}], 0, f{function}, (void *){argument}L);");
            self.line(1, &start);
            if self.random.below(6) == 0 {
                self.statement(1);
            }
        }
        for thread in 0..threads {
            let _ = writeln!(self.text, "  pthread_join(t[{thread}], &v);");
            match self.random.below(12) {
                0 => self.line(1, "y = (long)v;"),
                1 => self.line(1, "y = x;"),
                _ => {}
            }
        }
        if self.random.below(3) == 0 {
            let bound = self.random.below(4);
            let _ = writeln!(self.text, "  assert(x <= {bound});");
        }
        self.text += "  (void)r; return 0;\n}\n";
    }

    fn line(&mut self, depth: usize, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", 2 * depth);
    }

    fn statement(&mut self, depth: usize) {
        let lock = self.random.below(self.locks.len());
        let prefix = self.locks[lock].prefix;
        let name = format!("{prefix}_lock(&m{lock});");
        let unlock = format!("{prefix}_unlock(&m{lock});");
        match self.random.below(16) {
            0..=6 => {
                self.line(depth, &name);
                self.body(depth);
                self.line(depth, &unlock);
            }
            7..=8 => {
                self.line(depth, &format!("if ({prefix}_trylock(&m{lock}) == 0) {{"));
                self.body(depth + 1);
                self.line(depth + 1, &unlock);
                self.line(depth, "} else y = 2;");
            }
            9 => {
                self.line(depth, "for (int i = 0; i < 2; i++) {");
                self.line(depth + 1, &name);
                self.access(depth + 1);
                self.line(depth + 1, &unlock);
                self.line(depth, "}");
            }
            10 => {
                self.line(depth, "if (x) {");
                self.line(depth + 1, &name);
                self.line(depth, "}");
                self.access(depth);
                let again = self.random.below(2) == 0;
                self.line(depth, if again { "if (x) {" } else { "{" });
                self.line(depth + 1, &unlock);
                self.line(depth, "}");
            }
            11 => self.line(depth, &name),
            12 => self.line(depth, &unlock),
            13 if prefix == "pthread_mutex" => {
                self.line(depth, &name);
                self.line(depth, &format!("if (!x) pthread_cond_wait(&c, &m{lock});"));
                self.access(depth);
                self.line(depth, &unlock);
            }
            13 | 14 => {
                self.line(depth, &name);
                self.line(depth, "x = 1;");
                self.line(depth, "pthread_cond_signal(&c);");
                self.line(depth, &unlock);
            }
            _ => self.access(depth),
        }
    }

    /// What is done while a lock is held.
    fn body(&mut self, depth: usize) {
        match depth < 3 && self.random.below(5) == 0 {
            true => self.statement(depth + 1),
            false => self.access(depth),
        }
    }

    fn access(&mut self, depth: usize) {
        let usual =
            ["x = x + 1;", "y = x;", "r = y; x = r + 1;", "x = 1; y = 1;", "assert(x == x);"];
        // What distinguishes threads.
        let rare = ["x = pthread_self() == 2;", "static _Thread_local int own; y = ++own;"];
        let from = if self.random.one_in(12) { &rare[..] } else { &usual[..] };
        let access = *self.random.pick(from);
        self.line(depth, access);
    }
}
