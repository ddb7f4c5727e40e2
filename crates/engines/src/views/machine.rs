//! What is the same in all views of one program: its code, its objects, and the rung of the ladder
//! with what the search has learnt on the way.

use super::commits::Commits;
use super::heap::{Body, Life, Object, OddPointer, Regions, Shared, TOKEN, What};
use super::spin::Loops;
use crate::test::compose::Composed;
use execution::ids::{Id, IdVec};
use ir::cfg::Liveness;
use ir::op::{Callee, Claim, Inst, Op};
use ir::prepare;
use ir::program::{FuncId, Global, GlobalId, InitData, LocId, Program, SlotId, Storage, Width};
use ir::step::sc::contents::Contents;
use ir::step::thread::Code;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::sync::Arc;

/// A rung of the ladder of abstractions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rung {
    /// How much a view says of locks.
    pub locks: Locks,
    /// How many pointers away from the tracked thread objects are known that no other thread can
    /// find.
    pub depth: usize,
    /// How many threads a view tracks: one or two.
    pub tracked: usize,
    /// How the abstract state is found.
    pub witness: Witness,
    /// The objects that describe operations which other threads may complete.
    pub helping: Option<Descriptor>,
    /// The objects of which it is known whether the operation that made them goes on, for what
    /// threads wait for.
    pub makers: Option<Descriptor>,
}

impl Rung {
    /// Views of one thread, with abstract states that are observed.
    pub fn new(locks: Locks, depth: usize) -> Self {
        let (witness, helping, makers) = (Witness::Observers, None, None);
        Self { locks, depth, tracked: 1, witness, helping, makers }
    }
}

/// How the abstract state of a memory is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Witness {
    /// By running sequences of operations on a snapshot.
    Observers,
    /// By the same, but only where a thread that changed something holds no lock: it remains what
    /// it was while a critical section changes memory.
    Remembered,
    /// By running a function of the user's on a snapshot.
    Function,
    /// By the commit points that operations have passed.
    CommitPoints,
}

/// A kind of objects that describe operations, by where they are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Descriptor(pub(super) What);

impl Descriptor {
    /// Where these objects are allocated, if that is known.
    pub fn place(self) -> Option<LocId> {
        match self.0 {
            What::Heap(place) => place,
            What::Global(_) | What::Slot(..) => None,
        }
    }
}

/// What a view says of locks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Locks {
    /// A lock belongs to the tracked thread, or it may be free or belong to any other.
    Coarse,
    /// It belongs to the tracked thread, to another one, or to none.
    Exact,
    /// The same, also for words that threads change like locks: from zero by a read-modify-write,
    /// and back to zero.
    Inferred,
}

/// What the search has learnt; whatever grows, the search begins again.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// The bytes that were written after their object had escaped.
    written: HashSet<(What, u32)>,
    /// The objects that were freed, or went out of scope, after they had escaped.
    ended: HashSet<What>,
    /// Whether anything was learnt since the search began.
    pub grown: bool,
    /// For each word that was written after it had escaped, how.
    pub words: BTreeMap<(What, u32), Word>,
    /// The locks that were wanted while others were held.
    pub order: BTreeSet<LockOrder>,
    /// Where a thread waits for something that is no lock, if one does.
    pub waits: Option<Option<LocId>>,
    /// Where a thread that holds no lock waits in a loop for something that is not known to be one.
    pub spins: Option<Option<LocId>>,
    /// Whether threads wait in loops, all of them for threads that go on.
    pub awaited: bool,
    /// The kinds of words of which there are tokens.
    tokens: Vec<(What, u32)>,
}

/// A lock that was wanted while another one was held, by what is known of both for ever: the
/// numbers in the objects that no thread changes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct LockOrder {
    pub held: LockName,
    pub wanted: LockName,
    pub place: Option<LocId>,
}

/// A lock, as far as it is known for ever.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct LockName {
    pub object: What,
    pub offset: u32,
    /// Whether it is the one object of its kind.
    pub single: bool,
    /// The numbers in the words of its object, by their offsets.
    pub numbers: Vec<(u32, i128)>,
}

/// How a word is written.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub width: Width,
    /// Whether it changed otherwise than from zero by a read-modify-write to a number, or to zero.
    pub unlike_a_lock: bool,
    pub taken: bool,
    /// The numbers that were written, up to [`MOST_NUMBERS`].
    pub numbers: BTreeSet<u128>,
}

/// A word that takes more values than this is a counter without a bound: no abstract type here has
/// that many values.
pub(super) const MOST_NUMBERS: usize = 64;

impl Facts {
    /// A search begins.
    pub fn begin(&mut self) {
        self.grown = false;
        self.order.clear();
        self.waits = None;
        self.spins = None;
        self.awaited = false;
    }

    /// Remembers where threads wait in loops, when all steps are known.
    pub fn loops(&mut self, loops: &Loops) {
        if let Some(place) = loops.under_lock() {
            self.waits.get_or_insert(place);
        }
        self.spins = loops.for_others();
    }

    /// All that threads wait for in loops are threads that go on.
    pub fn waits_end(&mut self) {
        self.awaited |= self.spins.is_some();
        self.spins = None;
    }

    /// Whether some of these bytes may change while other threads know the object.
    pub fn may_change(&self, what: What, offset: u64, bytes: u64) -> bool {
        self.ended.contains(&what) || self.is_written(what, offset, bytes)
    }

    /// Whether some of these bytes are written while other threads know the object.
    pub fn is_written(&self, what: What, offset: u64, bytes: u64) -> bool {
        (offset..offset + bytes).any(|byte| self.written.contains(&(what, byte as u32)))
    }

    pub fn may_end(&self, what: What) -> bool {
        self.ended.contains(&what)
    }

    pub fn write(&mut self, what: What, offset: u64, bytes: u64) {
        for byte in offset..offset + bytes {
            self.grown |= self.written.insert((what, byte as u32));
        }
    }

    /// Whether blocks are freed that other threads may know: then it matters which thread has
    /// removed one.
    pub fn has_tokens(&self) -> bool {
        self.ended.iter().any(|what| matches!(what, What::Heap(_)))
    }

    /// The number of a kind of words.
    pub fn token(&mut self, what: What, offset: u32) -> u32 {
        let kind = (what, offset);
        let known = self.tokens.iter().position(|other| *other == kind);
        let number = known.unwrap_or_else(|| {
            self.tokens.push(kind);
            self.tokens.len() - 1
        });
        TOKEN | number as u32
    }

    pub fn end(&mut self, what: What) {
        self.grown |= self.ended.insert(what);
    }

    /// The words that are used like locks: objects, offsets, widths.
    pub fn locks(&self) -> Vec<(What, u32, Width)> {
        let locks = self.words.iter().filter(|(_, word)| word.taken && !word.unlike_a_lock);
        locks.map(|(&(what, offset), word)| (what, offset, word.width)).collect()
    }

    /// A thread has ended an operation without releasing what was taken for a lock, or has released
    /// it for another one.
    pub fn is_no_lock(&mut self, what: What, offset: u32) {
        if let Some(word) = self.words.get_mut(&(what, offset)) {
            self.grown |= !word.unlike_a_lock;
            word.unlike_a_lock = true;
        }
    }

    /// Whether a word is used like a lock.
    pub fn is_like_a_lock(&self, what: What, offset: u64) -> bool {
        let word = self.words.get(&(what, offset as u32));
        word.is_some_and(|word| word.taken && !word.unlike_a_lock)
    }
}

/// The program of a data type, for views.
#[derive(Debug)]
pub(super) struct Prepared {
    pub program: Program,
    promoted: HashSet<(FuncId, SlotId)>,
    alive: IdVec<FuncId, Liveness>,
    /// The function that runs each operation, in the order of the operations.
    pub operations: Vec<Operation>,
    /// The function that prepares the data type: it stops before it starts a thread.
    pub main: FuncId,
    /// The function that shows the abstract state, if the user has written one.
    pub abstraction: Option<FuncId>,
    /// A word for the abstract state that the program cannot see.
    pub history: GlobalId,
    pub commits: Commits,
}

/// An operation of the data type.
#[derive(Clone, Debug)]
pub(super) struct Operation {
    pub name: String,
    pub function: FuncId,
}

impl Prepared {
    /// A test in which each operation is a thread of its own, and so is the function of this name
    /// that shows the abstract state, which is no operation.
    pub fn new(composed: &Composed, abstraction: Option<&str>) -> Self {
        let mut program = prepare::for_states(composed.program.clone());
        let commits = Commits::new(&program);
        let name = "the abstract state".to_string();
        let (storage, init, layout, place) = (Storage::Static, Vec::new(), None, None);
        let word = Global { name, size: 8, align: 8, storage, init, layout, place };
        let history = program.globals.push(word);
        let functions = program.functions.enumerate();
        let promoted = functions
            .flat_map(|(id, function)| function.unused_slots().into_iter().map(move |it| (id, it)))
            .collect();
        let alive = program.functions.iter().map(Liveness::new).collect();
        let main = program.entry[0];
        // The functions of the threads stand before that of the test, in the order of the threads.
        let threads = composed.columns - 1;
        let names = composed.instances.iter().map(|instance| instance.operation.clone());
        let mut operations: Vec<Operation> = names
            .enumerate()
            .map(|(index, name)| {
                let function = FuncId::new(main.index() - threads + index);
                Operation { name, function }
            })
            .collect();
        let at = operations.iter().position(|it| Some(it.name.as_str()) == abstraction);
        let abstraction = at.map(|at| operations.remove(at).function);
        Self { program, promoted, alive, operations, main, abstraction, history, commits }
    }
}

impl Prepared {
    /// How the abstract state is found before anything else is tried.
    pub fn witness(&self) -> Witness {
        match self.abstraction {
            Some(_) => Witness::Function,
            None => Witness::Observers,
        }
    }

    /// The assertions of the user's own that operations check.
    pub fn assertions(&self) -> Vec<LocId> {
        let places = &self.program.places;
        let functions = self.program.functions.enumerate().filter(|(id, _)| *id != self.main);
        let insts = functions.flat_map(|(_, f)| f.blocks.iter().flat_map(|block| &block.insts));
        let of_program = insts.filter_map(|inst| match inst.op {
            Op::Assert { claim: Claim::Program, .. } => inst.place,
            _ => None,
        });
        of_program.filter(|place| !places[*place].location.is_library()).collect()
    }
}

/// The program on a rung.
#[derive(Debug)]
pub(super) struct Machine<'p> {
    pub prepared: &'p Prepared,
    pub code: Code<'p>,
    pub regions: Regions,
    pub rung: Rung,
    /// Whether each thread has a store buffer.
    pub buffers: bool,
    pub facts: RefCell<Facts>,
    /// How many values an operation may choose from, if that is not as the program says.
    pub values: Option<u32>,
    constants: Vec<Option<Contents>>,
}

impl<'p> Machine<'p> {
    pub fn new(
        prepared: &'p Prepared,
        rung: Rung,
        (buffers, values): (bool, Option<u32>),
        facts: Facts,
    ) -> Self {
        let program = &prepared.program;
        let sizes = program.globals.iter().map(|global| (global.size, global.align));
        let regions = Regions::new(program.functions.len(), sizes);
        let constants = program.globals.iter().map(|global| {
            let constant = global.storage == Storage::Constant;
            constant.then(|| contents(&regions, global))
        });
        let constants = constants.collect();
        let mut code = Code::new(program);
        code.max_depth = MOST_CALLS;
        let facts = facts.into();
        Self { prepared, code, regions, rung, buffers, facts, values, constants }
    }

    pub fn program(&self) -> &'p Program {
        &self.prepared.program
    }

    /// What is there before anything has run.
    pub fn at_first(&self) -> Result<Shared, OddPointer> {
        let globals = self.program().globals.enumerate().map(|(id, global)| {
            let contents = match global.storage {
                Storage::Static => contents(&self.regions, global),
                Storage::Constant | Storage::ThreadLocal => Contents::default(),
            };
            let (what, life, escaped) = (What::Global(id), Life::Alive, true);
            let body = Body { what, life, escaped, contents };
            Object::new(&self.regions, body)
        });
        Ok(Shared { globals: globals.collect::<Result<Vec<Arc<_>>, _>>()?, objects: Vec::new() })
    }

    pub fn constant(&self, global: GlobalId) -> Option<&Contents> {
        self.constants[global.index()].as_ref()
    }

    pub fn is_promoted(&self, function: FuncId, slot: SlotId) -> bool {
        self.prepared.promoted.contains(&(function, slot))
    }

    pub fn alive(&self) -> &'p IdVec<FuncId, Liveness> {
        &self.prepared.alive
    }

    /// The first instruction that has no meaning in views, and why.
    pub fn refusal(&self) -> Option<(String, Option<LocId>)> {
        let program = self.program();
        let functions = program.functions.enumerate().filter(|(id, _)| *id != self.prepared.main);
        for (id, function) in functions {
            let insts = || function.blocks.iter().flat_map(|block| &block.insts);
            let is_lock = insts().any(|inst| match &inst.op {
                Op::Load { access, .. } | Op::Cas { access, .. } | Op::Rmw { access, .. } => {
                    access.purpose.is_mutex_word()
                }
                _ => false,
            });
            for inst in insts() {
                let what = match &inst.op {
                    Op::Spawn { .. } => "an operation that starts a thread",
                    Op::Join { .. } => "an operation that awaits a thread",
                    Op::StoreExclusive { .. } | Op::Load { exclusive: true, .. } => {
                        "an exclusive access"
                    }
                    Op::Mcas { .. } if self.buffers => {
                        "a compare-and-swap of several words, with store buffers"
                    }
                    Op::Self_ { .. } if !is_lock => {
                        "the number of a thread, of which there may be any number of"
                    }
                    _ => continue,
                };
                return Some((what.into(), self.users(id, inst.place)));
            }
        }
        let local = |global: &Global| global.storage == Storage::ThreadLocal;
        let local = program.globals.iter().find(|global| local(global));
        local.map(|global| ("a thread-local object".into(), global.place))
    }
}

impl Machine<'_> {
    /// A place in a function; of one of the library, the call in the user's code that leads to it.
    fn users(&self, function: FuncId, place: Option<LocId>) -> Option<LocId> {
        let program = self.program();
        let is_library = |at: LocId| program.places[at].location.is_library();
        let mut known = HashSet::from([function]);
        let mut open = VecDeque::from([(function, place)]);
        while let Some((callee, place)) = open.pop_front() {
            if place.is_some_and(|at| !is_library(at)) {
                return place;
            }
            for (id, function) in program.functions.enumerate() {
                let mut insts = function.blocks.iter().flat_map(|block| &block.insts);
                let is_call = |inst: &&Inst| match &inst.op {
                    Op::Call { callee: Callee::Direct(to), .. } => *to == callee,
                    _ => false,
                };
                if let Some(call) = insts.find(is_call)
                    && known.insert(id)
                {
                    open.push_back((id, call.place));
                }
            }
        }
        place
    }
}

/// More active calls than this are taken for a recursion without a bound.
const MOST_CALLS: usize = 256;

/// What a global holds at first.
fn contents(regions: &Regions, global: &Global) -> Contents {
    let mut contents = Contents::zeroed(global.size as usize);
    for init in &global.init {
        let offset = init.offset as usize;
        match &init.data {
            InitData::Bytes(bytes) => contents.write_bytes(offset, bytes),
            InitData::Global(to, bytes) => {
                contents.write(offset, regions.of_global(*to).offset(*bytes));
            }
            InitData::Function(to) => contents.write(offset, regions.of_function(*to)),
        }
    }
    contents
}
