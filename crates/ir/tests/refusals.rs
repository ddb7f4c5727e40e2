//! A request that the memory refuses leaves the thread exactly before its instruction: a run with
//! refusals that are tried again reaches the same state as one without.

mod generate;

use execution::event::ThreadId;
use execution::ids::Id;
use generate::Random;
use ir::layout::LayoutId;
use ir::op::RmwOp;
use ir::order::{Fence, Order};
use ir::program::{FuncId, GlobalId, Program, SlotId, Width};
use ir::step::memory::{
    Alternatives, Fault, Loaded, Memory, ResolvedAccess, ResolvedMcasWord, Site, Stream,
};
use ir::step::origin::Origin;
use ir::step::sc::ScMemory;
use ir::step::taint::Dependencies;
use ir::step::thread::{Code, Step, Thread};
use ir::step::world::{Stop, World};
use ir::value::Value;
use proptest::prelude::*;

/// A memory that refuses some requests at first.
struct Flaky {
    world: World<Vec<u8>>,
    random: Random,
    refuses: bool,
}

/// Nothing where a request was refused.
type Refusal = Option<Stop>;

impl Flaky {
    fn pass<V>(
        &mut self,
        request: impl FnOnce(&mut World<Vec<u8>>) -> Result<V, Stop>,
    ) -> Result<V, Refusal> {
        if self.refuses && self.random.below(3) == 0 {
            return Err(None);
        }
        request(&mut self.world).map_err(Some)
    }
}

/// Methods that pass their arguments on, unless they refuse.
macro_rules! pass_on {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        $(fn $name(&mut self, site: Site<'_>, $($argument: $type),*) -> Result<$result, Refusal> {
            self.pass(|world| world.$name(site, $($argument),*))
        })*
    };
}

impl Memory<Origin> for Flaky {
    type Stop = Refusal;

    pass_on! {
        load(access: ResolvedAccess<'_>, exclusive: bool, depends: Dependencies<Origin>) -> Loaded;
        store(access: ResolvedAccess<'_>, value: Value, depends: Dependencies<Origin>) -> ();
        store_exclusive(access: ResolvedAccess<'_>, value: Value, depends: Dependencies<Origin>)
            -> (bool, Option<u32>);
        rmw(access: ResolvedAccess<'_>, op: RmwOp, operand: Value, returns: bool,
            depends: Dependencies<Origin>) -> Loaded;
        cas(access: ResolvedAccess<'_>, expected: (Value, Origin), desired: Value, failure: Order,
            weak: bool, depends: Dependencies<Origin>) -> (Loaded, bool);
        mcas(words: Vec<ResolvedMcasWord<'_, Origin>>) -> bool;
        fence(fence: &Fence, control: &Origin) -> ();
        branch(taint: &Origin) -> ();
        atomic_begin() -> ();
        atomic_end() -> ();
        global(global: GlobalId) -> Value;
        function(function: FuncId) -> Value;
        function_at(address: Value) -> FuncId;
        alloc(size: u64, align: u64, zeroed: bool, layout: Option<LayoutId>) -> Value;
        free(address: Value, taint: Origin) -> ();
        block_size(address: Value) -> u64;
        spawn(function: FuncId, args: Vec<Value>) -> Value;
        yield_now() -> ();
        choose(width: Width, from: Alternatives) -> Value;
        observe(label: &str, value: Value) -> ();
        commit(label: &str) -> ();
        operation_begin(name: &str, args: &[Value]) -> ();
        operation_end(result: Option<Value>) -> ();
        print(stream: Stream, text: &[u8]) -> ();
        enter(slot: Value) -> ();
        leave(slots: &[Value], result: Option<Value>) -> ();
    }

    // A call asks for several stack objects; refusing a later one would make the first again, at
    // another address.
    fn slot(
        &mut self,
        site: Site<'_>,
        function: FuncId,
        slot: SlotId,
        depth: u32,
    ) -> Result<Value, Refusal> {
        self.world.slot(site, function, slot, depth).map_err(Some)
    }

    // Nothing else runs here, so a thread that is awaited never ends.
    fn join(&mut self, _: Site<'_>, _: Value) -> Result<Value, Refusal> {
        Err(Some(Stop::Discard))
    }

    fn fault(&mut self, site: Site<'_>, fault: Fault) -> Refusal {
        Some(self.world.fault(site, fault))
    }
}

/// Runs the first function to its end, a stop, or a bound, and describes the result.
fn run(program: &Program, seed: u64, refusals: Option<u64>) -> String {
    let code = Code::new(program);
    let function = FuncId::new(0);
    let params = &program.functions[function].params;
    let args: Vec<Value> = params
        .iter()
        .map(|&param| Value::int(program.functions[function].regs[param].width, 3))
        .collect();
    let mut thread: Thread<Origin> = Thread::new(&code, ThreadId::new(0), function, &args);
    let mut memory = Flaky {
        world: World::new(ScMemory::new(program), Vec::new(), seed),
        random: Random(refusals.unwrap_or(0)),
        refuses: refusals.is_some(),
    };
    let mut end = String::from("bound");
    for _ in 0..20_000 {
        if thread.executed() >= 300 {
            break;
        }
        match thread.step(&code, &mut memory, 300 - thread.executed()) {
            Step::Ran | Step::OutOfFuel | Step::Stopped(None) => {}
            Step::Stopped(Some(stop)) => {
                end = format!("{stop:?}");
                break;
            }
            Step::Finished(ending) => {
                end = format!("{ending:?}");
                break;
            }
        }
    }
    let records = memory.world.records;
    format!("{end}\n{thread:?}\n{records:?}\n{:?}", memory.world.output)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn refusals_change_nothing(program: u64, seed: u64, refusals: u64) {
        let program = generate::program(program);
        prop_assert_eq!(run(&program, seed, Some(refusals)), run(&program, seed, None));
    }
}
