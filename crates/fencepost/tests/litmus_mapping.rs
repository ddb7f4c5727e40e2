//! Litmus tests in C on models of machines: `litmus` compiles them as `verify` compiles programs.

use execution::span::SourceMap;
use fencepost::litmus::{Engine, Limits, ModelAnswer, files, load, model, run};
use front_litmus::test::Test;
use oracle::litmus::Observation;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

const MACHINES: [&str; 8] = ["sc", "tso", "pso", "relaxed", "power", "armv7", "armv8", "riscv"];

fn parsed(text: &str) -> Test {
    let mut sources = SourceMap::new();
    let file = sources.add_file("test.litmus", text);
    front_litmus::parse(&sources, file).unwrap_or_else(|problem| panic!("{}", problem.message))
}

fn asked(test: &Test, models: &[&str], engine: Engine) -> Vec<ModelAnswer> {
    let models: Vec<_> = models.iter().map(|name| model(name).expect("in the library")).collect();
    run(test, &models, &Limits { engine, ..Limits::default() }, false)
}

fn states(outcome: &ModelAnswer) -> Option<BTreeSet<&str>> {
    let answer = outcome.answer.as_ref().ok()?;
    Some(answer.states.iter().map(|state| state.text.as_str()).collect())
}

/// Two threads, and what their locals must not hold in the end: thread, name, value. `@x` is the
/// address of a variable, `$x` the variable.
struct Shape {
    name: &'static str,
    threads: [&'static str; 2],
    forbidden: &'static [(usize, &'static str, u32)],
}

const BOTH_ZERO: &[(usize, &str, u32)] = &[(0, "r", 0), (1, "r", 0)];
const BOTH_ONE: &[(usize, &str, u32)] = &[(0, "r", 1), (1, "r", 1)];
const STALE: &[(usize, &str, u32)] = &[(1, "r", 1), (1, "s", 0)];

const C11: &[Shape] = &[
    Shape {
        name: "SB-sc",
        threads: [
            "atomic_store(@x, 1); int r = atomic_load(@y);",
            "atomic_store(@y, 1); int r = atomic_load(@x);",
        ],
        forbidden: BOTH_ZERO,
    },
    Shape {
        name: "SB-rel-acq",
        threads: [
            "atomic_store_explicit(@x, 1, memory_order_release); \
             int r = atomic_load_explicit(@y, memory_order_acquire);",
            "atomic_store_explicit(@y, 1, memory_order_release); \
             int r = atomic_load_explicit(@x, memory_order_acquire);",
        ],
        forbidden: BOTH_ZERO,
    },
    Shape {
        name: "SB-fences",
        threads: [
            "atomic_store_explicit(@x, 1, memory_order_relaxed); \
             atomic_thread_fence(memory_order_seq_cst); \
             int r = atomic_load_explicit(@y, memory_order_relaxed);",
            "atomic_store_explicit(@y, 1, memory_order_relaxed); \
             atomic_thread_fence(memory_order_seq_cst); \
             int r = atomic_load_explicit(@x, memory_order_relaxed);",
        ],
        forbidden: BOTH_ZERO,
    },
    Shape {
        name: "SB-exchange",
        threads: [
            "int t = atomic_exchange_explicit(@x, 1, memory_order_relaxed); \
             int r = atomic_load_explicit(@y, memory_order_relaxed);",
            "int t = atomic_exchange_explicit(@y, 1, memory_order_relaxed); \
             int r = atomic_load_explicit(@x, memory_order_relaxed);",
        ],
        forbidden: BOTH_ZERO,
    },
    // A compare-and-swap that fails is a locked instruction on x86.
    Shape {
        name: "SB-failed-cas",
        threads: [
            "int e = 7; atomic_store_explicit(@x, 1, memory_order_relaxed); \
             int t = atomic_compare_exchange_strong_explicit(@z, &e, 1, memory_order_relaxed, \
             memory_order_relaxed); int r = atomic_load_explicit(@y, memory_order_relaxed);",
            "int e = 7; atomic_store_explicit(@y, 1, memory_order_relaxed); \
             int t = atomic_compare_exchange_strong_explicit(@z, &e, 1, memory_order_relaxed, \
             memory_order_relaxed); int r = atomic_load_explicit(@x, memory_order_relaxed);",
        ],
        forbidden: BOTH_ZERO,
    },
    Shape {
        name: "MP-rel-acq",
        threads: [
            "atomic_store_explicit(@x, 1, memory_order_relaxed); \
             atomic_store_explicit(@y, 1, memory_order_release);",
            "int r = atomic_load_explicit(@y, memory_order_acquire); \
             int s = atomic_load_explicit(@x, memory_order_relaxed);",
        ],
        forbidden: STALE,
    },
    Shape {
        name: "MP-relaxed",
        threads: [
            "atomic_store_explicit(@x, 1, memory_order_relaxed); \
             atomic_store_explicit(@y, 1, memory_order_relaxed);",
            "int r = atomic_load_explicit(@y, memory_order_relaxed); \
             int s = atomic_load_explicit(@x, memory_order_relaxed);",
        ],
        forbidden: STALE,
    },
    // The write is after the join of a branch that a read decides.
    Shape {
        name: "LB-ctrl-join",
        threads: [
            "int r = atomic_load_explicit(@x, memory_order_relaxed); \
             if (r) { atomic_store_explicit(@z, 1, memory_order_relaxed); } \
             atomic_store_explicit(@y, 1, memory_order_relaxed);",
            "int r = atomic_load_explicit(@y, memory_order_relaxed); \
             atomic_store_explicit(@x, r, memory_order_relaxed);",
        ],
        forbidden: BOTH_ONE,
    },
    Shape {
        name: "LB-relaxed",
        threads: [
            "int r = atomic_load_explicit(@x, memory_order_relaxed); \
             atomic_store_explicit(@y, 1, memory_order_relaxed);",
            "int r = atomic_load_explicit(@y, memory_order_relaxed); \
             atomic_store_explicit(@x, 1, memory_order_relaxed);",
        ],
        forbidden: BOTH_ONE,
    },
];

const KERNEL: &[Shape] = &[
    Shape {
        name: "SB-mb",
        threads: [
            "WRITE_ONCE($x, 1); smp_mb(); int r = READ_ONCE($y);",
            "WRITE_ONCE($y, 1); smp_mb(); int r = READ_ONCE($x);",
        ],
        forbidden: BOTH_ZERO,
    },
    Shape {
        name: "SB-xchg",
        threads: [
            "WRITE_ONCE($x, 1); int t = xchg(@z, 1); int r = READ_ONCE($y);",
            "WRITE_ONCE($y, 1); int t = xchg(@z, 2); int r = READ_ONCE($x);",
        ],
        forbidden: BOTH_ZERO,
    },
    Shape {
        name: "MP-release-acquire",
        threads: [
            "WRITE_ONCE($x, 1); smp_store_release(@y, 1);",
            "int r = smp_load_acquire(@y); int s = READ_ONCE($x);",
        ],
        forbidden: STALE,
    },
    Shape {
        name: "MP-wmb-rmb",
        threads: [
            "WRITE_ONCE($x, 1); smp_wmb(); WRITE_ONCE($y, 1);",
            "int r = READ_ONCE($y); smp_rmb(); int s = READ_ONCE($x);",
        ],
        forbidden: STALE,
    },
    Shape {
        name: "MP-once",
        threads: [
            "WRITE_ONCE($x, 1); WRITE_ONCE($y, 1);",
            "int r = READ_ONCE($y); int s = READ_ONCE($x);",
        ],
        forbidden: STALE,
    },
];

impl Shape {
    fn litmus(&self, ty: &str) -> String {
        let mut text = format!("C {}\n{{ }}\n", self.name);
        for (index, body) in self.threads.iter().enumerate() {
            let body = body.replace('@', "").replace('$', "*");
            text += &format!("P{index} ({ty} *x, {ty} *y, {ty} *z) {{ {body} }}\n");
        }
        let forbidden = self.forbidden.iter();
        let parts: Vec<_> =
            forbidden.map(|(t, name, value)| format!("{t}:{name}={value}")).collect();
        text + &format!("exists ({})\n", parts.join(" /\\ "))
    }

    fn program(&self, header: &str, ty: &str) -> String {
        let mut text = format!(
            "#include <assert.h>\n#include <pthread.h>\n#include <{header}>\n{ty} x, y, z;\n"
        );
        for (index, body) in self.threads.iter().enumerate() {
            let body = body.replace('@', "&").replace('$', "");
            let own: Vec<_> = self.forbidden.iter().filter(|(t, ..)| *t == index).collect();
            let kept: String =
                own.iter().map(|(t, name, _)| format!("{name}{t} = {name}; ")).collect();
            for (t, name, _) in own {
                text += &format!("int {name}{t};\n");
            }
            text += &format!("void *p{index}(void *u) {{ {body} {kept}return 0; }}\n");
        }
        let parts: Vec<_> =
            self.forbidden.iter().map(|(t, name, value)| format!("{name}{t} == {value}")).collect();
        text + &format!(
            "int main(void) {{ pthread_t a, b; pthread_create(&a, 0, p0, 0); \
             pthread_create(&b, 0, p1, 0); pthread_join(a, 0); pthread_join(b, 0); \
             assert(!({})); return 0; }}\n",
            parts.join(" && ")
        )
    }
}

/// Whether `verify` says that the assertion of a program holds, for each model.
fn verified(name: &str, text: &str, models: &[&str]) -> Vec<bool> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("{name}.c"));
    std::fs::write(&path, text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.args(["verify", "--property", "assert"]).arg(&path);
    for model in models {
        command.args(["--model", model]);
    }
    let output = command.output().expect("fencepost runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let row = text.lines().find_map(|line| line.strip_prefix("assert "));
    let row = row.unwrap_or_else(|| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)));
    let word = |word: &str| match word {
        "holds" => true,
        "VIOLATED" => false,
        other => panic!("{name}: {other}\n{text}"),
    };
    row.split_whitespace().map(word).collect()
}

fn compare(shapes: &[Shape], header: &str, ty: &str, models: &[&str]) {
    let mut seen = BTreeSet::new();
    for shape in shapes {
        let test = parsed(&shape.litmus(ty));
        let holds = verified(shape.name, &shape.program(header, ty), models);
        for engine in [Engine::Oracle, Engine::Sat] {
            let outcomes = asked(&test, models, engine);
            assert_eq!(outcomes.len(), holds.len());
            for (outcome, &holds) in outcomes.iter().zip(&holds) {
                let (name, model) = (shape.name, &outcome.model.name);
                let answer =
                    outcome.answer.as_ref().unwrap_or_else(|p| panic!("{name}, {model}: {p}"));
                let never = answer.observation() == Observation::Never;
                assert_eq!(never, holds, "{name} on {model}, {engine:?}");
                seen.insert(holds);
            }
        }
    }
    assert_eq!(seen.len(), 2, "some hold, some do not");
}

#[test]
fn litmus_and_verify_give_one_answer_to_tests_with_atomics() {
    let models: Vec<_> = MACHINES.into_iter().chain(["rc11", "imm"]).collect();
    compare(C11, "stdatomic.h", "atomic_int", &models);
}

#[test]
fn litmus_and_verify_give_one_answer_to_tests_of_the_kernel() {
    let models: Vec<_> = MACHINES.into_iter().chain(["lkmm"]).collect();
    compare(KERNEL, "lkmm.h", "int", &models);
}

#[test]
fn what_a_machine_does_with_a_compiled_test_the_language_allows() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/litmus/C11");
    let tests = files::collect(&[folder.display().to_string()]).unwrap();
    // No architecture leaves out every dependency, as `relaxed` does.
    let machines: Vec<_> = MACHINES.into_iter().filter(|name| *name != "relaxed").collect();
    let mut strict = 0;
    for path in tests {
        let test = load(&path).test.unwrap_or_else(|problem| panic!("{}", problem.message));
        let language = asked(&test, &["imm"], Engine::Oracle);
        let language = states(&language[0]).expect("imm answers");
        let [by_oracle, by_solver] =
            [Engine::Oracle, Engine::Sat].map(|engine| asked(&test, &machines, engine));
        for (machine, solved) in by_oracle.iter().zip(&by_solver) {
            let (name, model) = (path.display(), &machine.model.name);
            let seen = states(machine).unwrap_or_else(|| panic!("{name} on {model}"));
            assert!(seen.is_subset(&language), "{name} on {model}: {seen:?}");
            assert!(states(solved).is_none_or(|solved| solved == seen), "{name} on {model}");
            strict += usize::from(seen.len() < language.len());
        }
    }
    assert!(strict > 100, "{strict}");
}

#[test]
fn what_has_no_mapping_is_refused_with_a_hint() {
    let refusal = |text: &str, model: &str| {
        let outcome = asked(&parsed(text), &[model], Engine::Auto).remove(0);
        outcome.answer.expect_err("it is refused").to_string()
    };
    assert_eq!(
        refusal(&C11[0].litmus("atomic_int"), "lkmm"),
        "line 3: a C11 atomic under a model of the Linux kernel (for which there is no standard \
         mapping) is not supported; ask a model of C11 or of a machine"
    );
    for section in ["rcu_read_lock(); rcu_read_unlock();", "int i = srcu_read_lock(s);"] {
        let text = format!(
            "C rcu\n{{ }}\nP0 (int *x, struct srcu_struct *s) {{\n {section}\n WRITE_ONCE(*x, 1);\n}}\nexists (x=1)\n"
        );
        assert_eq!(
            refusal(&text, "tso"),
            "line 4: RCU under another model than the Linux kernel's is not supported; ask lkmm"
        );
    }
    let text = "C rmb\n{ }\nP0 (int *x) { int r = READ_ONCE(*x); smp_rmb(); }\nexists (x=0)\n";
    assert_eq!(
        refusal(text, "rc11"),
        "line 3: a directed fence under a model for C11 (which knows memory orders and \
         `atomic_thread_fence` only) is not supported; ask lkmm"
    );
}
