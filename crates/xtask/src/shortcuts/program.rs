//! Random programs without locks: threads that are symmetric or nearly so, threads that only read,
//! and a `main` that awaits them in some order and does something in between.

use crate::agree::random::Random;
use std::fmt::Write;

/// A program in the making.
struct Writer<'a> {
    random: &'a mut Random,
    text: String,
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut writer = Writer { random: &mut Random::new(seed), text: String::new() };
    writer.program();
    writer.text
}

impl Writer<'_> {
    fn program(&mut self) {
        self.text += "#include <pthread.h>\n#include <assert.h>\n#include <stdatomic.h>\n#include \
                      <stdlib.h>\n#include <fencepost.h>\natomic_int x, y;\nint z, own; char cell[3];\n";
        let threads = 2 + self.random.below(2);
        let functions = 1 + self.random.below(2);
        for function in 0..functions {
            let _ = writeln!(self.text, "void *f{function}(void *p) {{\n  int r = 0;");
            let reads = self.random.one_in(3);
            for _ in 0..1 + self.random.below(3) {
                self.statement(1, reads);
            }
            let result = ["0", "0", "0", "p", "(void *)(long)r"][self.random.below(5)];
            let _ = writeln!(self.text, "  (void)r; return {result};\n}}");
        }
        let _ = writeln!(self.text, "int main(void) {{\n  int r = 0;\n  pthread_t t[{threads}];");
        for thread in 0..threads {
            let function = if thread < functions { thread } else { self.random.below(functions) };
            let argument = if self.random.one_in(3) { thread } else { 0 };
            let start =
                format!("pthread_create(&t[{thread}], 0, f{function}, (void *){argument}L);");
            self.line(1, &start);
            if self.random.one_in(8) {
                self.statement(1, false);
            }
        }
        self.joins(threads);
        self.text += "  fp_observe(\"x\", x);\n  fp_observe(\"y\", y);\n  (void)r; return 0;\n}\n";
    }

    /// Awaits most threads, in some order.
    fn joins(&mut self, threads: usize) {
        let mut left: Vec<usize> = (0..threads).collect();
        while !left.is_empty() {
            let at = if self.random.one_in(3) { self.random.below(left.len()) } else { 0 };
            let thread = left.remove(at);
            if !self.random.one_in(12) {
                self.line(1, &format!("pthread_join(t[{thread}], 0);"));
            }
            match self.random.below(8) {
                0 => self.line(1, "y = 3;"),
                1 => self.line(1, "fp_observe(\"m\", x);"),
                2 => self.line(1, "if (x == 1) r = 1;"),
                _ => {}
            }
        }
        if self.random.one_in(3) {
            let bound = 1 + self.random.below(3);
            self.line(1, &format!("assert(x <= {bound});"));
        }
        if self.random.one_in(2) {
            self.line(1, "fp_observe(\"c\", cell[0]); fp_observe(\"d\", cell[1]);");
        }
    }

    fn line(&mut self, depth: usize, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", 2 * depth);
    }

    /// A statement, perhaps one that changes nothing that others see.
    fn statement(&mut self, depth: usize, reads: bool) {
        if depth < 3 && self.random.one_in(4) {
            let head = [
                "if (x == 1) {",
                "if (r) {",
                "if (y) {",
                "for (int i = 0; i < 2; i++) {",
                "if (fp_choose(0, 1)) {",
            ];
            let head = *self.random.pick(&head);
            self.line(depth, head);
            self.statement(depth + 1, reads);
            self.line(depth, "}");
            return;
        }
        let reading = [
            "r = x;",
            "r += atomic_load_explicit(&y, 0);",
            "r = x; r -= y;",
            "assert(r < 3);",
            "if (x == 2) return 0;",
            "r = x; if (r == x) r = y;",
            "r += cell[(long)p];",
            "__fp_atomic_begin(); r = x; r += y; __fp_atomic_end();",
        ];
        let writing = [
            "x++;",
            "x = r + 1;",
            "atomic_store_explicit(&x, 1, 0);",
            "atomic_store_explicit(&y, 1, 0);",
            "y = x;",
            "atomic_thread_fence(5);",
            "r = x; atomic_compare_exchange_strong(&x, &r, r + 1);",
            "z = z + 1;",
            "r = atomic_exchange(&y, 2);",
            "cell[(long)p] = r + 1;",
            "cell[(long)p]++; cell[(long)p] += r;",
        ];
        // What waits, what distinguishes threads, what is left in memory.
        let rare = [
            "while (!x) {}",
            "if (y == 2) while (x == 1) {}",
            "__fp_atomic_begin(); __fp_assume(x != 1); r = y; __fp_atomic_end();",
            "__fp_atomic_begin(); __fp_assume(!y); r = x; y = 1; __fp_atomic_end();",
            "x = pthread_self() == 2;",
            "int *b = malloc(4); *b = x; if (*b != 1) free(b);",
            "int a[2] = {0, 0}; a[x & 1]++; r = a[1];",
            "if (y) exit(0);",
            "own = x; r = own;",
            "r += cell[1];",
            "cell[0] = 1;",
        ];
        let statement = match self.random.one_in(9) {
            true => *self.random.pick(&rare),
            false if reads || self.random.one_in(3) => *self.random.pick(&reading),
            false => *self.random.pick(&writing),
        };
        // Only threads return early.
        let statement = if self.text.contains("int main") {
            statement.replace("return 0;", "r = 2;").replace("(long)p", "0")
        } else {
            statement.to_string()
        };
        self.line(depth, &format!("{{ {statement} }}"));
    }
}
