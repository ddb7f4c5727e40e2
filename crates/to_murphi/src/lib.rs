//! Writes a data type as a Murphi model: threads that for ever pick an operation.
//!
//! The idea: the operations of the program, without calls, are cut before each access that other
//! threads may notice; each part between two cuts is a rule. Registers that are read after a cut are
//! variables of the thread, words of memory are fields of records, and what values they hold is found
//! by an analysis of the whole program, which becomes their types. Whether the data type is
//! linearizable is asked within the model: it keeps the set of all abstract states, with what each
//! running operation will return if it has taken effect, that the operations so far can be explained
//! by, and an operation that ends must return what one of them says (after J. M. Wing, C. Gong,
//! "Testing and verifying concurrent objects", JPDC 17, 1993, with all orders at once). So no
//! linearisation points and no abstraction function are needed: another tool than ours, which reads
//! nothing but the model, checks what `prove` claims for a few threads.
//!
//! A mistake here would make the model say something else than the program; that is why verdicts are
//! compared with those of the other engines.
//!
//! Soundness S-260 (prove; sc; misses): A Murphi model has so many threads, and so many nodes: an
//! operation that allocates begins only when there is one node more than operations are running; a
//! model that needs more says so by an error. Test:
//! crates/xtask/tests/bridge.rs::models_of_two_threads_say_what_their_exploration_says.
//!
//! Soundness S-261 (prove; sc; misses): In a Murphi model, a thread that waits for ever in a loop of
//! one access is a deadlock where steps that change nothing do not count (`--deadlock stuttering`); in
//! a loop of several accesses it can always take a step that changes the state, so that no deadlock
//! shows. The head of the model names the lines of such loops, and so does the command. Test:
//! crates/xtask/tests/bridge.rs::threads_that_wait_for_ever_are_a_deadlock_or_named.
//!
//! Soundness S-262 (prove; sc; cries wolf): In a Murphi model, copying an undefined word of memory is
//! an error, even if nothing depends on the copy, and so is reading a word of a heap block that holds
//! one value or nothing. Test: crates/xtask/tests/bridge.rs::copying_an_undefined_word_is_an_error_of_the_model.
//!
//! Soundness S-263 (prove; sc; refuses): Not written as Murphi: what proofs refuse; arrays and other
//! places that are computed; pointers to several globals or into several fields; local variables
//! whose addresses are stored; words that are accessed in parts; numbers with more than 64 values.
//! Test: crates/xtask/tests/bridge.rs::what_has_no_counterpart_is_refused_at_its_line.
//!
//! - [`inline`]: operations without calls. [`value`], [`facts`]: what registers and words hold.
//! - [`term`]: expressions. [`steps`]: rules. [`access`]: what accesses to memory become.
//! - [`shape`]: types and names. [`client`]: the start, the client and what is checked of it.
//! - [`text`]: the model. [`names`]: what Murphi accepts.

mod access;
mod client;
mod facts;
mod inline;
mod memory;
mod names;
mod shape;
mod steps;
mod term;
mod text;
mod value;

use ir::program::{FuncId, GlobalId, LocId, Program, Width};
use std::num::NonZeroU32;

pub use text::emit;

/// Something that has no counterpart in a model, and where it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// What it is.
    pub what: String,
    /// Where.
    pub place: Option<LocId>,
}

impl Refused {
    fn at(what: impl Into<String>, place: Option<LocId>) -> Self {
        Self { what: what.into(), place }
    }

    /// What stands in the library is refused where the user calls it.
    fn called(self, call: Option<LocId>) -> Self {
        Self { place: call.or(self.place), ..self }
    }
}

/// A model.
#[derive(Clone, Debug)]
pub struct Model {
    /// The model as text.
    pub text: String,
    /// The lines of loops of several accesses, in which a thread could wait for ever without a
    /// deadlock of the model.
    pub loops: Vec<u32>,
}

/// An object of the memory at the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Object {
    /// A global.
    Global(GlobalId),
    /// The heap block of this number.
    Heap(usize),
}

/// What a word holds at the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Held {
    /// Nothing that is defined.
    Undefined,
    /// A number, as a signed one.
    Number(i128),
    /// An address in an object.
    Address(Object, i64),
    /// Something else, such as the address of a function.
    Other,
}

/// The memory when the threads start.
pub trait Start {
    /// How many heap blocks there are.
    fn blocks(&self) -> usize;
    /// What a word holds.
    fn held(&self, object: Object, offset: u64, width: Width) -> Held;
}

/// An operation with what it may choose.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Its name.
    pub name: String,
    /// The function that runs it, without parameters.
    pub function: FuncId,
    /// For each invocation, the values that it chooses, in order.
    pub choices: Vec<Vec<i128>>,
}

/// What an invocation observes: labels and values, in order.
pub type Observed = Vec<(String, i128)>;

/// What an invocation does in a state of the abstract type; nothing where the type would be larger
/// than its bound.
pub type Move = Option<(Observed, usize)>;

/// The abstract type: what operations do one after the other. State 0 is the first.
#[derive(Clone, Debug)]
pub struct Serial {
    /// For each state, for each operation, for each of its invocations.
    pub moves: Vec<Vec<Vec<Move>>>,
}

/// What is to be written.
pub struct Subject<'a> {
    /// The program, compiled for sequential consistency.
    pub program: &'a Program,
    /// The operations.
    pub operations: Vec<Operation>,
    /// The memory at the start.
    pub start: &'a dyn Start,
    /// What is right.
    pub serial: Serial,
    /// The C file, for the head of the model.
    pub file: String,
    /// How many threads there are.
    pub threads: NonZeroU32,
    /// How many nodes there are.
    pub nodes: usize,
}
