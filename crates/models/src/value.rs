//! What cat expressions stand for while a model is being run, and the environment of names.

use crate::algebra::TermId;
use crate::ast::{Binding, Expr, Instruction, Pattern};
use execution::event::EventId;
use std::rc::Rc;
use std::sync::Arc;

/// The value of an expression.
#[derive(Clone, Debug)]
pub enum Value {
    /// A set of events.
    Set(TermId),
    /// A relation between events.
    Relation(TermId),
    /// `{}`: a set of anything.
    Nothing,
    /// One event of the execution at hand.
    Event(EventId),
    /// One pair of events of the execution at hand.
    Pair(EventId, EventId),
    /// A tag.
    Tag(Arc<str>),
    /// A tuple.
    Tuple(Vec<Value>),
    /// A set of sets, relations or tags.
    Collection(Rc<Vec<Value>>),
    /// A function.
    Closure(Rc<Closure>),
    /// One of several functions defined by `let rec`.
    Recursive(Rc<RecursiveFunctions>, usize),
    /// A function that is built in.
    Builtin(Builtin),
    /// `map f`, which waits for its set.
    Mapper(Rc<Value>),
    /// A procedure.
    Procedure(Rc<Procedure>),
}

/// A function and the names it sees.
#[derive(Debug)]
pub struct Closure {
    /// The parameter.
    pub parameter: Pattern,
    /// Further parameters.
    pub more: Vec<Pattern>,
    /// The body.
    pub body: Arc<Expr>,
    /// The names.
    pub env: Env,
}

/// Functions that see each other.
#[derive(Debug)]
pub struct RecursiveFunctions {
    /// Their definitions.
    pub bindings: Vec<Binding>,
    /// The names around them.
    pub env: Env,
}

/// A procedure and the names it sees.
#[derive(Debug)]
pub struct Procedure {
    /// The parameter.
    pub parameter: Pattern,
    /// The body.
    pub body: Arc<[Instruction]>,
    /// The names.
    pub env: Env,
}

/// Functions that cat text cannot define.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// `domain(r)`
    Domain,
    /// `range(r)`
    Range,
    /// `different-values(r)`
    DifferentValues,
    /// `classes-loc(S)`: `S` split by location.
    ClassesLoc,
    /// `linearisations(S, r)`: the total orders of `S` that contain `r`.
    Linearisations,
    /// `cross(S)`: every way to pick one relation from each member, united.
    Cross,
    /// `map f S`
    Map,
    /// `tag2events('t)`: the events annotated with a tag.
    TagToEvents,
    /// `same-oa(r)`: about address translation, of which executions here have none.
    NoRelation,
    /// `oa-changes(S, r)`, `at-least-one-writable(S, r)`: the same.
    NoSet,
}

impl Builtin {
    /// The built-in function of this name.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "domain" => Self::Domain,
            "range" => Self::Range,
            "different-values" => Self::DifferentValues,
            "classes-loc" | "partition" => Self::ClassesLoc,
            "linearisations" | "linearizations" => Self::Linearisations,
            "cross" => Self::Cross,
            "map" => Self::Map,
            "tag2events" | "tag2instrs" => Self::TagToEvents,
            "same-oa" => Self::NoRelation,
            "oa-changes" | "at-least-one-writable" => Self::NoSet,
            _ => return None,
        })
    }
}

impl Value {
    /// What to call it in a message.
    pub fn describe(&self) -> &'static str {
        match self {
            Self::Set(_) => "a set of events",
            Self::Relation(_) => "a relation",
            Self::Nothing => "the empty set",
            Self::Event(_) => "an event",
            Self::Pair(..) => "a pair of events",
            Self::Tag(_) => "a tag",
            Self::Tuple(_) => "a tuple",
            Self::Collection(_) => "a set of sets or tags",
            Self::Closure(_) | Self::Recursive(..) | Self::Builtin(_) | Self::Mapper(_) => {
                "a function"
            }
            Self::Procedure(_) => "a procedure",
        }
    }

    /// Whether two values are known to be equal without an execution.
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Set(a), Self::Set(b)) | (Self::Relation(a), Self::Relation(b)) => a == b,
            (Self::Nothing, Self::Nothing) => true,
            (Self::Event(a), Self::Event(b)) => a == b,
            (Self::Pair(a, b), Self::Pair(c, d)) => (a, b) == (c, d),
            (Self::Tag(a), Self::Tag(b)) => a == b,
            (Self::Collection(a), Self::Collection(b)) => {
                a.len() == b.len() && a.iter().all(|x| b.iter().any(|y| x.same(y)))
            }
            (Self::Tuple(a), Self::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.same(y))
            }
            _ => false,
        }
    }
}

/// Names and their values, innermost first; cheap to extend and to share.
#[derive(Clone, Debug, Default)]
pub struct Env(Option<Rc<Frame>>);

#[derive(Debug)]
struct Frame {
    name: Arc<str>,
    value: Value,
    next: Env,
}

impl Env {
    /// The environment with one more name.
    pub fn with(&self, name: &Arc<str>, value: Value) -> Self {
        Self(Some(Rc::new(Frame { name: name.clone(), value, next: self.clone() })))
    }

    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let mut env = self;
        while let Some(frame) = &env.0 {
            if &*frame.name == name {
                return Some(&frame.value);
            }
            env = &frame.next;
        }
        None
    }
}

impl Drop for Env {
    /// Frees a long chain of names without recursion.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(frame) = next {
            match Rc::try_unwrap(frame) {
                Ok(mut frame) => next = frame.next.0.take(),
                Err(_) => break,
            }
        }
    }
}
