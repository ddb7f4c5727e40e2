//! Executes the threads of a program symbolically, with loops up to their bounds.
//!
//! Every path of every thread is followed at once. A block is executed once per iteration of the
//! loops around it, under the guard of all paths that reach it; variables are guarded
//! assignments ([`guarded`]), so nothing is copied at branches and joins. As long as `main` is
//! alone, and for stack objects whose address stays in their thread, memory is a [`store`] of such
//! variables; everything else becomes an action, for the memory model to order.
//!
//! An iteration of a loop that goes back without having left a trace (nothing written, no live
//! register changed) only waits: no thread ever sees it, so the paths on which this happens are
//! dropped and each loop keeps the iterations that do something, and its last. For loops that do
//! nothing else this is the reduction of Burckhardt, Alur, Martin, CAV 2006, section 3.4; a retry
//! loop loses its failed attempts. A read-modify-write that writes back what it read (a failed
//! test-and-set) is no trace either: what reads from it can read from its predecessor, which it
//! follows at once. Nor is a mutex that was taken and given back (`encode/reductions/polling.rs`
//! says why). Dropping reads, such writes and fences from an execution only makes it less
//! constrained, and an execution in which the first attempt succeeds is one of the program's own,
//! so this neither misses nor invents outcomes of threads that terminate.
//!
//! Which objects are shared is found out by trying: each is taken to be its thread's own until its
//! address is written to shared memory or another thread accesses it, which may be concurrent with
//! what the first one does; the run then starts again with what is known to be shared. (Where that
//! would be circular, [`ir::points_to`] says what is.) What one thread does before it starts
//! another one, and after it has awaited it, is concurrent with nothing that this one does: there,
//! who runs first here (a new thread, where it is started) is who comes first on every model. So is
//! which blocks there are, where freed ones may be used again or their sizes are asked for. So are
//! cells of these objects that do not matter when a loop begins again ([`dead`]).
//!
//! Soundness S-098 (check, verify; all; refuses): Refused for the solver: an atomic section or
//! operation that only some paths have entered, a shared local that is declared in a loop and not
//! written as a whole at once, and more than 20,000 accesses. Test:
//! crates/fencepost/tests/limits.rs::programs_that_are_too_large_keep_the_time_limit,
//! crates/fencepost/tests/locals_in_loops.rs::one_that_is_filled_on_several_paths_starts_again_in_the_replay_too.

mod call;
mod control;
mod counts;
mod dead;
mod element;
mod flow;
mod guarded;
mod heap;
mod instruction;
mod liveness;
mod memory;
mod objects;
mod options;
mod own;
mod running;
mod runs;
mod seen;
mod store;
mod sym;
mod threads;
mod unchanged;
mod update;

pub use control::Language;
pub(crate) use objects::key;
pub use options::{Calls, UnrollOptions};
pub use runs::unroll;

use crate::bounded::{ActionId, AllocationId, Bounded, CallId, Moment};
use crate::guard::Guard;
use crate::range::Ranges;
use crate::term::TermId;
use execution::event::ThreadId;
use execution::ids::{Id, IdVec};
use execution::witness::Split;
use ir::cfg::{LoopForest, LoopId, bystanders};
use ir::program::{BlockId, FuncId, GlobalId, LocId, Program, Reg};
use ir::value::{RegionId, Value};
use objects::Objects;
use running::{Active, Effect, EffectKind, Frame, Running};
use runs::{Assumed, Found};
use sat::Limits;
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use store::Store;
use sym::Sym;

/// Something that the encoding does not do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// What.
    pub what: String,
    /// Where.
    pub place: Option<LocId>,
    /// Plain accesses that may be made in pieces, so that this reason is gone.
    pub splits: Vec<Split>,
}

impl Unsupported {
    /// That something is not done, and nothing helps.
    pub(crate) fn new(what: impl Into<String>, place: Option<LocId>) -> Self {
        Unsupported { what: what.into(), place, splits: Vec::new() }
    }
}

pub(crate) type Result<T> = std::result::Result<T, Unsupported>;

pub(crate) fn unsupported<T>(place: Option<LocId>, what: impl Into<String>) -> Result<T> {
    Err(Unsupported::new(what, place))
}

/// An error if it is time to give up.
pub(crate) fn in_time(limits: &Limits) -> Result<()> {
    match limits.expired() {
        true => unsupported(None, "a program that is not encoded when a limit is reached"),
        false => Ok(()),
    }
}

/// An object that may be one thread's own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ObjectKey {
    /// A stack object: of this call the so-many-th.
    Slot(CallId, u32),
    /// A global.
    Global(GlobalId),
    /// A thread's copy of a thread-local.
    ThreadLocal(ThreadId, GlobalId),
    /// A heap block.
    Heap(AllocationId),
}

/// What is known of a function's control flow.
struct Flow {
    order: Vec<BlockId>,
    loops: LoopForest,
    /// The registers that each loop changes and that decide nothing there.
    bystanders: IdVec<LoopId, BTreeSet<Reg>>,
    /// The registers that are live at the start of each block.
    live: IdVec<BlockId, BTreeSet<Reg>>,
    /// The blocks that the branch at the end of each block governs.
    governed: IdVec<BlockId, BTreeSet<BlockId>>,
}

/// What the text of a program says.
struct ByText {
    /// The objects that others may see.
    shared: BTreeSet<ir::points_to::Object>,
    /// The functions that registers may point to, if asked for.
    called: OnceCell<ir::points_to::Called>,
    /// The program with registers for objects that only loads and stores access, if asked for.
    promoted: OnceCell<Program>,
}

struct Unroller<'p> {
    program: &'p Program,
    options: &'p UnrollOptions,
    out: Bounded,
    flows: HashMap<FuncId, std::rc::Rc<Flow>>,
    store: Store,
    /// What it relies on.
    assumed: Assumed,
    /// What it finds out about that.
    found: Found,
    /// What the text of the program says, where that decides.
    by_text: &'p ByText,
    objects: Objects,
    /// Whether another thread was started.
    concurrent: bool,
    running: Running,
    results: HashMap<ThreadId, Sym>,
    /// Who awaits each thread, and on which paths.
    joined: HashMap<ThreadId, Vec<(ThreadId, Guard)>>,
    /// The shared stack objects whose lifetime has started.
    entered: BTreeSet<RegionId>,
    /// Between which numbers terms lie.
    ranges: Ranges,
    sequence: u32,
}

impl<'p> Unroller<'p> {
    fn new(
        program: &'p Program,
        options: &'p UnrollOptions,
        by_text: &'p ByText,
        assumed: Assumed,
    ) -> Self {
        let blocks = assumed.blocks.clone();
        let mut unroller = Self {
            program,
            options,
            out: Bounded::default(),
            flows: HashMap::new(),
            store: Store::default(),
            assumed,
            found: Found::default(),
            by_text,
            objects: Objects::default(),
            concurrent: program.entry.len() > 1 || options.litmus,
            running: Running::new(ThreadId::new(0)),
            results: HashMap::new(),
            joined: HashMap::new(),
            entered: BTreeSet::new(),
            ranges: Ranges::default(),
            sequence: 0,
        };
        unroller.make_globals();
        unroller.make_known_blocks(blocks);
        unroller
    }

    fn run(&mut self) -> Result<()> {
        for &function in &self.program.entry {
            let parameters = self.program.functions[function].params.len();
            if parameters > 0 {
                let place = self.program.functions[function].place;
                return unsupported(place, "a `main` with parameters cannot be encoded yet");
            }
            self.thread(function, Vec::new(), Guard::TRUE, None)?;
        }
        if !self.concurrent {
            self.freeze();
        }
        for (address, _, value) in self.store.cells(&mut self.out.terms) {
            let own = self.out.region_at(address).is_some_and(|region| self.is_private(region));
            if own {
                self.out.own_cells.push((address, value));
            }
        }
        Ok(())
    }

    /// What the initial part leaves in memory is what the threads find there.
    fn freeze(&mut self) {
        for (address, width, value) in self.store.cells(&mut self.out.terms) {
            let private = self.out.region_at(address).is_some_and(|region| self.is_private(region));
            if !private {
                let cell = crate::bounded::InitialCell { width, value };
                self.out.initial.insert(address, cell);
            }
        }
    }

    fn constant(&mut self, value: Value) -> TermId {
        self.out.terms.value(value)
    }

    /// The program with registers for objects that only loads and stores access; its blocks are the
    /// same.
    fn promoted(&self) -> &'p Program {
        let program = self.program;
        self.by_text.promoted.get_or_init(|| ir::prepare::for_states(program.clone()))
    }

    fn flow(&mut self, function: FuncId) -> std::rc::Rc<Flow> {
        let program = self.program;
        let flow = self.flows.entry(function).or_insert_with(|| {
            let code = &program.functions[function];
            let loops = LoopForest::new(code).expect("a well-formed function has natural loops");
            let order = ir::cfg::reverse_postorder(code);
            let live = liveness::live_in(code);
            let governed = control::governed(code);
            let bystanders = loops.loops.iter().map(|it| bystanders(code, it)).collect();
            std::rc::Rc::new(Flow { order, loops, bystanders, live, governed })
        });
        flow.clone()
    }

    /// The innermost place around that is not in an embedded header, if there is one.
    fn users_place(&self, frame: &Frame, place: Option<LocId>) -> Option<LocId> {
        let calls = frame.calls.iter().rev().map(|(_, place)| *place);
        let is_users = |place: &LocId| !self.program.places[*place].location.is_library();
        std::iter::once(place).chain(calls).flatten().find(is_users).or(place)
    }

    /// Now, in the running thread.
    fn moment(&mut self, guard: Guard) -> Moment {
        self.sequence += 1;
        Moment { thread: self.running.thread, guard, sequence: self.sequence }
    }

    /// The id that the next action of the running thread will have.
    fn next_action(&self) -> ActionId {
        self.out.actions.next_id()
    }
}
