//! Every schedule under sequential consistency, by the stepper alone: each run follows a script,
//! and the next script differs in the last decision that can be another one.

use fencepost::run::Quiet;
use ir::program::Program;
use ir::step::machine::{Machine, RunEnd, RunOptions};
use ir::step::thread::Code;
use ir::step::world::Recorded;
use std::collections::BTreeSet;
use std::time::Instant;

/// What the runs of a program showed.
pub struct Explored {
    /// The labels that some run observed.
    pub seen: BTreeSet<String>,
    /// Whether there are no other runs.
    pub all: bool,
    /// How many runs there were.
    pub runs: u64,
}

/// Runs longer than this are not followed to their ends.
const LONGEST: u64 = 3_000;

/// Runs a program under all schedules, or as many as there is time for.
pub fn explore(program: &Program, deadline: Instant) -> Explored {
    let code = Code::new(program);
    let options = RunOptions { max_steps: LONGEST, ..RunOptions::default() };
    let mut explored = Explored { seen: BTreeSet::new(), all: true, runs: 0 };
    let mut next = Some(Vec::new());
    while let Some(answers) = next {
        if Instant::now() > deadline {
            explored.all = false;
            break;
        }
        let mut machine = Machine::scripted(&code, &options, Quiet, answers);
        let outcome = machine.run();
        explored.runs += 1;
        let script = machine.script().expect("it follows a script");
        explored.all &= !script.lost && !matches!(outcome, RunEnd::OutOfSteps(_));
        next = script.following(0);
        for record in machine.records() {
            if let Recorded::Observed(label, _) = &record.what {
                explored.seen.insert(label.clone());
            }
        }
    }
    explored
}

#[cfg(test)]
mod tests {
    use super::explore;
    use fencepost::compile::{Language, compile_text};
    use std::time::{Duration, Instant};

    #[test]
    fn all_schedules_of_store_buffering_are_run() {
        let text = "#include <fencepost.h>\n\
            int x, y, a, b;\n\
            void *left(void *unused) { x = 1; a = y; return unused; }\n\
            void *right(void *unused) { y = 1; b = x; return unused; }\n\
            int main(void) {\n\
                unsigned long p = __fp_spawn(left, 0), q = __fp_spawn(right, 0);\n\
                __fp_join(p); __fp_join(q);\n\
                if (a && b) fp_observe(\"both\", 1); else if (a) fp_observe(\"a\", 1);\n\
                else if (b) fp_observe(\"b\", 1); else fp_observe(\"none\", 1);\n\
                return 0;\n\
            }";
        let compiled = compile_text("sb.c", text, Language::C);
        let Ok(compiled) = compiled else { panic!("it compiles") };
        let explored = explore(&compiled.program, Instant::now() + Duration::from_secs(60));
        assert!(explored.all);
        let seen: Vec<&str> = explored.seen.iter().map(String::as_str).collect();
        assert_eq!(seen, ["a", "b", "both"]);
    }

    #[test]
    fn a_section_that_cannot_be_completed_shows_nothing_where_a_run_is_cut_off() {
        let text = "#include <fencepost.h>\n\
            #include <pthread.h>\n\
            int x;\n\
            void *waits(void *unused) {\n\
                fp_observe(\"before\", 1);\n\
                __VERIFIER_atomic_begin();\n\
                fp_observe(\"within\", x);\n\
                __VERIFIER_assume(x == 2);\n\
                __VERIFIER_atomic_end();\n\
                return unused;\n\
            }\n\
            int main(void) { __fp_spawn(waits, 0); for (;;) x = 1; }";
        let compiled = compile_text("cut.c", text, Language::C);
        let Ok(compiled) = compiled else { panic!("it compiles") };
        let explored = explore(&compiled.program, Instant::now() + Duration::from_secs(2));
        let seen: Vec<&str> = explored.seen.iter().map(String::as_str).collect();
        assert_eq!(seen, ["before"]);
    }
}
