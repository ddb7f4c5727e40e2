//! Executes the threads of a program symbolically, with loops up to their bounds.
//!
//! Every path of every thread is followed at once. A block is executed once per iteration of the
//! loops around it, under the guard of all paths that come to it; variables are guarded
//! assignments ([`guarded`]), so nothing is copied at branches and joins. As long as `main` is
//! alone, and for stack objects whose address stays in their thread, memory is a [`store`] of such
//! variables; everything else becomes an action, for the memory model to order.
//!
//! An iteration of a loop that goes back without having left a trace (nothing written, no live
//! register changed) only waits: nobody ever sees it, so the paths on which this happens are
//! dropped and each loop keeps the iterations that do something, and its last. For loops that do
//! nothing else this is the reduction of Burckhardt, Alur, Martin, CAV 2006, section 3.4; a retry
//! loop loses its failed attempts. A read-modify-write that writes back what it read (a failed
//! test-and-set) is no trace either: whoever reads from it can read from its predecessor, which it
//! follows at once. Nor is a mutex that was taken and given back (`encode/reductions/polling.rs` says why).
//! Dropping reads, such writes and fences from an execution only makes it less constrained, and an
//! execution in which the first attempt succeeds is one of the program's own, so this neither misses
//! nor invents outcomes of threads that come to their ends.
//!
//! Which objects are shared is found out by trying: each is taken to be its thread's own until its
//! address is written to shared memory or another thread accesses it, which may be beside what the
//! first one does; the run then starts again with what is known to be shared. (Where that would be
//! circular, [`points_to`] says what is.) What one thread does before it starts another one, and
//! after it has awaited it, is beside nothing that this one does: there, who runs first here (a new
//! thread, where it is started) is who comes first on every model.
//! So is which blocks there are, where freed ones may be used again or their sizes are asked for.
//! So are cells of these objects that do not matter when a loop begins again ([`dead`]).

mod call;
mod control;
mod counted;
mod dead;
mod element;
mod flow;
mod guarded;
mod heap;
mod instruction;
mod liveness;
mod memory;
mod objects;
mod points_to;
mod store;
mod sym;
mod threads;
mod unchanged;
mod update;

pub use control::Language;
pub(crate) use objects::key;

use crate::bounded::{
    Action, ActionId, ActionKind, AllocationId, Bounded, CallId, InstanceKey, Moment, Origin, Taint,
};
use crate::guard::Guard;
use crate::range::Ranges;
use crate::term::TermId;
use execution::event::ThreadId;
use execution::ids::{Id, IdVec};
use execution::witness::Split;
use guarded::Guarded;
use ir::cfg::{LoopForest, LoopId, bystanders};
use ir::program::{BlockId, FuncId, GlobalId, LocId, Program, Reg};
use ir::value::{RegionId, Value};
use sat::Limits;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use store::Store;
use sym::Sym;
use unchanged::Told;

/// How far to unroll, and what to record.
#[derive(Clone, Debug)]
pub struct UnrollOptions {
    /// How many iterations a loop instance has, and how deep a function calls itself, where
    /// `bounds` does not say otherwise.
    pub default_bound: u32,
    /// The bounds of single instances.
    pub bounds: HashMap<InstanceKey, u32>,
    /// The sizes of blocks that single instances of allocations are known to ask for, where that is
    /// not known beforehand.
    pub sizes: HashMap<InstanceKey, BTreeSet<u64>>,
    /// The threads that go on behind loops whose bounds they have reached. What they do there is
    /// nothing that the program does; so this can only show that no bound is reached.
    pub go_on: BTreeSet<ThreadId>,
    /// Operations whose loops have one iteration; executions that need more are not looked at.
    pub restricted: HashSet<String>,
    /// Whether to track what depends on what.
    pub dependencies: bool,
    /// The kind of language, which decides what depends on what.
    pub language: Language,
    /// Whether this is a litmus test: there is no part before the threads.
    pub litmus: bool,
    /// Whether accesses that one place makes one after the other belong to one machine instruction.
    pub merges: bool,
    /// Whether to record commit points. An iteration that passes one then leaves a trace.
    pub commits: bool,
    /// Whether loops that only wait are reduced to their last iteration.
    pub reduce_spin_loops: bool,
    /// Whether an iteration only waits, too, that takes mutexes and gives them back. Whoever asks for
    /// this looks whether they are mutexes ([`Bounded::polled`]).
    pub reduce_polling: bool,
    /// Whether races are looked for.
    pub races: bool,
    /// Whether an object that no two threads access beside each other while several run, or that
    /// nobody writes then, is its threads' own: accesses to it are no actions. Stack objects always
    /// are.
    pub own_objects: bool,
    /// Whether read-modify-writes, accesses with annotations and atomic sections order what is
    /// around them, so that with `own_objects` they keep their objects in memory.
    pub ordered_own_objects: bool,
    /// Whether a write may come before the reads that control depends on, so that the text of the
    /// program decides which objects are shared.
    pub by_text: bool,
    /// Whether to record where branches and assertions are reached.
    pub goals: bool,
    /// Whether signed overflow, left shifts included, and shifts by the width or more are wrong.
    pub overflow: bool,
    /// Whether an allocation may give a block that was freed.
    pub reuse_blocks: bool,
    /// The objects of threads whose ends are actions.
    pub outlived: BTreeSet<ObjectKey>,
    /// What happens where what memory holds decides which function is called.
    pub calls: Calls,
    /// How many actions a program may have.
    pub max_actions: usize,
    /// When to give up.
    pub limits: Limits,
}

impl Default for UnrollOptions {
    fn default() -> Self {
        Self {
            default_bound: 1,
            bounds: HashMap::new(),
            sizes: HashMap::new(),
            go_on: BTreeSet::new(),
            restricted: HashSet::new(),
            dependencies: true,
            language: Language::default(),
            litmus: false,
            merges: false,
            commits: false,
            reduce_spin_loops: true,
            reduce_polling: false,
            races: false,
            own_objects: false,
            ordered_own_objects: false,
            by_text: false,
            goals: false,
            overflow: false,
            reuse_blocks: false,
            outlived: BTreeSet::new(),
            calls: Calls::default(),
            max_actions: 20_000,
            limits: Limits::default(),
        }
    }
}

/// What happens where what memory holds decides which function is called.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Calls {
    /// Any function may be called whose address may come there by the text of the program.
    #[default]
    Any,
    /// Nothing: [`Bounded::calls_any`] tells, and what is unrolled is of no use.
    Told,
    /// Any function, but what is read from objects that were there before the threads, outside of
    /// these cells (from, to), is what was there before. Whoever asks for this looks whether
    /// somebody writes elsewhere.
    Unwritten(BTreeSet<(u64, u64)>),
}

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

/// Unrolls a program.
pub fn unroll(program: &Program, options: &UnrollOptions) -> Result<Bounded> {
    let by_text = match options.by_text {
        true => points_to::shared(program, options.litmus),
        false => BTreeSet::new(),
    };
    let by_text = ByText { shared: by_text, called: OnceCell::new() };
    let mut shared = BTreeSet::new();
    let mut blocks = Vec::new();
    let mut dead = dead::Dead::default();
    let mut generations = threads::MAX_GENERATIONS;
    loop {
        let known = (shared.clone(), blocks.clone(), dead.clone());
        let mut unroller = Unroller::new(program, options, &by_text, known);
        unroller.generations = generations;
        let run = unroller.run();
        let frees = |action: &Action| matches!(action.kind, ActionKind::Free { .. });
        let reuse = options.reuse_blocks && unroller.out.actions.iter().any(frees);
        let reuse = reuse || unroller.wants_blocks;
        let known = blocks == unroller.made || !reuse;
        if !known || !unroller.escaped.is_subset(&shared) {
            shared.extend(unroller.escaped);
            blocks = if reuse { unroller.made } else { Vec::new() };
            continue;
        }
        if unroller.crowded && generations > 1 {
            generations /= 2;
            continue;
        }
        // What a mark led to that was read says nothing.
        if unroller.store.marks_read.is_empty() {
            run?;
        }
        match unroller.dead.next(&unroller.store.marks_read) {
            Some(next) => dead = next,
            None => return Ok(unroller.out),
        }
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

/// Who accesses an object that is nobody else's while several threads run.
#[derive(Clone, Debug, Default)]
struct Touch {
    threads: BTreeSet<ThreadId>,
    /// Those that write, or bring it to its end.
    writers: BTreeSet<ThreadId>,
    /// Whether there are locks in it.
    locks: bool,
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
    shared: BTreeSet<points_to::Object>,
    /// The functions that registers may point to, if somebody asks.
    called: OnceCell<points_to::Called>,
}

struct Unroller<'p> {
    program: &'p Program,
    options: &'p UnrollOptions,
    out: Bounded,
    flows: HashMap<FuncId, std::rc::Rc<Flow>>,
    store: Store,
    /// The objects that others may see, by an earlier run.
    shared: BTreeSet<ObjectKey>,
    /// What the text of the program says, where that decides.
    by_text: &'p ByText,
    /// Those of this run.
    escaped: BTreeSet<ObjectKey>,
    /// The cells that do not matter when loops begin.
    dead: dead::Dead,
    /// Who accesses the objects that are somebody's own.
    touched: HashMap<RegionId, Touch>,
    globals: HashMap<GlobalId, RegionId>,
    locals: HashMap<(ThreadId, GlobalId), RegionId>,
    functions: HashMap<FuncId, RegionId>,
    /// Whether another thread was started.
    concurrent: bool,
    /// How many generations of threads of one function there are at most, and whether these are too
    /// many threads.
    generations: u32,
    crowded: bool,
    running: Running,
    results: HashMap<ThreadId, Sym>,
    /// Who awaits each thread, and on which paths.
    joined: HashMap<ThreadId, Vec<(ThreadId, Guard)>>,
    /// The shared stack objects whose lifetime has started.
    entered: BTreeSet<RegionId>,
    addresses: objects::Addresses,
    /// Between which numbers terms lie.
    ranges: Ranges,
    /// The blocks that an earlier run made, by allocation, with their regions in this run.
    blocks: Vec<(objects::Block, RegionId)>,
    /// Those that this run made.
    made: Vec<objects::Block>,
    /// Whether something depends on which blocks there are.
    wants_blocks: bool,
    sequence: u32,
}

/// The thread that runs.
struct Running {
    thread: ThreadId,
    instruction: u32,
    sections: u32,
    /// When each section began.
    section_starts: Vec<u32>,
    /// The section and how deeply nested.
    section: Guarded<(Option<u32>, u32)>,
    operation: Guarded<Option<u32>>,
    /// The load-exclusive that a store-exclusive is paired with.
    reserved: Guarded<Option<ActionId>>,
    control: Taint,
    /// In structured languages: what decided each branch of the running call.
    branches: BTreeMap<BlockId, Taint>,
    /// In structured languages: what decided the branches around the running call.
    around: Taint,
    /// Where the latest access was made: place, block, and index of the instruction there.
    last_place: Option<(LocId, BlockId, usize)>,
    /// The calls that are running, for recursion.
    active: Vec<Active>,
    /// The stack objects of the calls that are running, outermost first.
    stack: Vec<RegionId>,
    /// What others could see of it, for finding loops that only wait.
    effects: Vec<Effect>,
    /// What comparisons have told.
    told: Vec<Told>,
    /// How often the innermost loop around has gone back because something decided so.
    repeated: u32,
    /// On which paths the thread came to its end.
    ended: Guard,
}

/// A call that is running.
struct Active {
    function: FuncId,
    /// The paths on which it was made.
    guard: Guard,
    /// How many of the calls of this function, from the outermost one to this one, something
    /// decided about.
    decided: u32,
    /// How many actions and calls there were before the outermost one.
    before: (usize, usize),
}

impl Running {
    fn new(thread: ThreadId) -> Self {
        Self {
            thread,
            instruction: 0,
            sections: 0,
            section_starts: vec![0],
            section: Guarded::new((None, 0)),
            operation: Guarded::new(None),
            reserved: Guarded::new(None),
            control: Taint::default(),
            branches: BTreeMap::new(),
            around: Taint::default(),
            last_place: None,
            active: Vec::new(),
            stack: Vec::new(),
            effects: Vec::new(),
            told: Vec::new(),
            repeated: 0,
            ended: Guard::FALSE,
        }
    }
}

/// Something that others could see.
struct Effect {
    /// On which paths.
    guard: Guard,
    kind: EffectKind,
}

enum EffectKind {
    /// They can.
    Seen,
    /// A read-modify-write: nobody can see it if the old and the new value are equal.
    Update { old: TermId, new: TermId },
    /// A mutex is taken or given back: nobody can see it once both have happened.
    Lock { address: TermId, takes: bool, action: ActionId },
}

impl Effect {
    fn seen(guard: Guard) -> Self {
        Self { guard, kind: EffectKind::Seen }
    }
}

/// A call that is being executed.
struct Frame {
    function: FuncId,
    /// The block that is being executed, and the index of the instruction.
    block: BlockId,
    next: usize,
    regs: Vec<Guarded<Sym>>,
    slots: Vec<Value>,
    /// The guards under which control comes to blocks that are still to be executed.
    pending: IdVec<BlockId, Guard>,
    result: Option<Guarded<Sym>>,
    returned: Guard,
    calls: Arc<[(FuncId, Option<LocId>)]>,
    /// The calls and iterations that lead here.
    context: Vec<u32>,
}

impl Frame {
    fn origin(&self, place: Option<LocId>) -> Origin {
        Origin { place, calls: self.calls.clone() }
    }
}

impl<'p> Unroller<'p> {
    fn new(
        program: &'p Program,
        options: &'p UnrollOptions,
        by_text: &'p ByText,
        (shared, blocks, dead): (BTreeSet<ObjectKey>, Vec<objects::Block>, dead::Dead),
    ) -> Self {
        let mut unroller = Self {
            program,
            options,
            out: Bounded::default(),
            flows: HashMap::new(),
            store: Store::default(),
            shared,
            by_text,
            escaped: BTreeSet::new(),
            touched: HashMap::new(),
            dead,
            globals: HashMap::new(),
            locals: HashMap::new(),
            functions: HashMap::new(),
            concurrent: program.entry.len() > 1 || options.litmus,
            generations: threads::MAX_GENERATIONS,
            crowded: false,
            running: Running::new(ThreadId::new(0)),
            results: HashMap::new(),
            joined: HashMap::new(),
            entered: BTreeSet::new(),
            addresses: objects::Addresses::default(),
            ranges: Ranges::default(),
            blocks: Vec::new(),
            made: Vec::new(),
            wants_blocks: false,
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
