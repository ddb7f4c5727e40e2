//! Whatever is well formed can be run: the stepper may find faults in it, but never falls over it.

mod generate;

use execution::ids::Id;
use ir::program::FuncId;
use ir::step::machine::{Machine, RunOptions};
use ir::step::memory::Stream;
use ir::step::thread::Code;
use ir::step::world::Output;
use ir::verify::verify;
use proptest::prelude::*;

struct Quiet;

impl Output for Quiet {
    fn write(&mut self, _: Stream, _: &[u8]) {}
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_programs_run_without_panic(seed: u64, schedule: u64, overflow: bool) {
        let mut program = generate::program(seed);
        program.entry = vec![FuncId::new(0)];
        prop_assert!(verify(&program).is_empty());
        let options = RunOptions { seed: schedule, overflow, max_steps: 1000, ..RunOptions::default() };
        let code = Code::new(&program);
        Machine::new(&code, &options, Quiet).run();
    }
}
