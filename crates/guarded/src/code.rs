//! Expressions and statements, resolved: every name is a cell, a slot of a frame, or a constant.
//!
//! The last variants of [`Expr`] and [`Stmt`] are made by [`fold`](crate::fold) only: they say in
//! one node what the most frequent code says in several.

use crate::model::{FunctionId, ScalarId, SiteId};

/// Where a place begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// At the first cell of the state.
    State,
    /// At the first cell of the frame.
    Frame,
    /// At the cell whose number is in this slot of the frame.
    Reference(u32),
}

/// A step into an array.
#[derive(Clone, PartialEq, Debug)]
pub struct Subscript {
    /// Which element.
    pub value: Expr,
    /// The lowest index.
    pub low: i64,
    /// How many elements there are.
    pub count: u32,
    /// How many cells each element has.
    pub stride: u32,
    /// Where an index outside is reported.
    pub site: SiteId,
}

/// A variable or a part of one.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// Where it begins.
    pub base: Base,
    /// How many cells after that.
    pub offset: u32,
    /// Steps into arrays.
    pub subscripts: Vec<Subscript>,
}

/// How two values are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
}

/// An operation on numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
}

/// What a quantifier or a loop ranges over.
#[derive(Clone, PartialEq, Debug)]
pub enum Domain {
    /// The values of a scalar type, in order.
    Scalar(ScalarId),
    /// Numbers with a step.
    Numbers {
        /// The first.
        from: Expr,
        /// The last, or the one before which it ends.
        to: Expr,
        /// The difference of two.
        step: Expr,
        /// Where a step of zero is reported.
        site: SiteId,
    },
}

/// What is handed to a function.
#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    /// A number, put into this slot.
    Value(u32, Expr),
    /// A place that the function may change; the number of its first cell is put into the slot.
    Reference(u32, Place),
    /// A record or an array, copied into this many cells from the slot on.
    Copy(u32, Place, u32),
}

/// An expression; a Boolean is 0 or 1.
#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    /// A constant.
    Constant(i64),
    /// The number in a slot of the frame.
    Slot(u32),
    /// The scalar in a place: its code plus the bias.
    Load(Box<Place>, i64, SiteId),
    /// `!`
    Not(Box<Expr>),
    /// Whether all are true, asked in order up to the first that is not.
    All(Vec<Expr>),
    /// Whether one is true, asked in order up to the first that is.
    Any(Vec<Expr>),
    /// Two numbers compared.
    Compare(Comparison, Box<(Expr, Expr)>),
    /// Whether two places have equal cells, so many.
    SameCells(Box<(Place, Place)>, u32),
    /// An operation; the site is for overflow, division by zero, and shifts.
    Arithmetic(Arithmetic, Box<(Expr, Expr)>, SiteId),
    /// `-`
    Negate(Box<Expr>, SiteId),
    /// `~`
    Complement(Box<Expr>),
    /// `condition ? this : that`
    Choose(Box<(Expr, Expr, Expr)>),
    /// Whether a condition is true for all (or for one) of a domain, whose element is in the slot.
    Quantified {
        /// For all, or for one.
        all: bool,
        /// The slot.
        slot: u32,
        /// The domain.
        domain: Box<Domain>,
        /// The condition.
        body: Box<Expr>,
    },
    /// Whether the scalar in a place is undefined.
    IsUndefined(Box<Place>),
    /// Whether a value is in one of the ranges.
    IsMember(Box<Expr>, Vec<(i64, i64)>),
    /// How many elements of a multiset satisfy a condition, with their positions in the slot.
    Count(Box<Elements>),
    /// A number that must be in a range.
    Checked(Box<Expr>, Target),
    /// The result of a function.
    Call(FunctionId, Vec<Argument>, SiteId),

    /// The scalar in a cell of the state.
    Cell(u32, i64, SiteId),
    /// Whether a cell of the state has a code (or, if `false`, does not have it).
    CellIs(u32, u32, bool, SiteId),
    /// Whether a cell of the state is undefined.
    CellIsUndefined(u32),
}

/// Elements of a multiset that satisfy a condition.
#[derive(Clone, PartialEq, Debug)]
pub struct Elements {
    /// The multiset.
    pub place: Place,
    /// How many slots it has.
    pub capacity: u32,
    /// How many cells each slot has.
    pub stride: u32,
    /// The frame cell for positions.
    pub slot: u32,
    /// The condition.
    pub condition: Expr,
}

/// Statements, one after the other.
pub type Block = Vec<Stmt>;

/// What is assigned to a scalar.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Target {
    /// The lowest value of its type.
    pub low: i64,
    /// The highest.
    pub high: i64,
    /// Where a value outside is reported.
    pub site: SiteId,
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub enum Stmt {
    /// Assigns a scalar.
    Assign(Place, Expr, Target),
    /// Copies cells, undefined ones included.
    Copy {
        /// To where.
        to: Place,
        /// From where.
        from: Place,
        /// How many.
        cells: u32,
    },
    /// Writes these codes.
    Fill(Place, Vec<u32>),
    /// `if`, `elsif`, …, `else`
    If(Vec<(Expr, Block)>, Block),
    /// Cases with the values of each; the last block is `else`.
    Switch(Expr, Vec<(Vec<Expr>, Block)>, Block),
    /// A loop over a domain, whose element is in the slot.
    For(u32, Domain, Block),
    /// A loop over a scalar type in which the order must not matter.
    ForAnyOrder(u32, ScalarId, Block, SiteId),
    /// A loop with a condition; the site is for loops that do not end.
    While(Expr, Block, SiteId),
    /// Puts the number of a place's first cell into a slot.
    Bind(u32, Place),
    /// Puts a number into a slot.
    Let(u32, Expr),
    /// Calls a procedure.
    Call(FunctionId, Vec<Argument>, SiteId),
    /// Ends a function or a procedure.
    Return(Option<Expr>),
    /// `assert`
    Assert(Expr, SiteId),
    /// A successor for which it is false is left out.
    Assume(Expr, SiteId),
    /// `error`
    Error(SiteId),
    /// Adds what is in some cells of the frame to a multiset.
    Add {
        /// The multiset.
        to: Place,
        /// How many slots it has.
        capacity: u32,
        /// How many cells each slot has.
        stride: u32,
        /// Where the element is.
        element: Element,
        /// Where a lack of room is reported.
        site: SiteId,
    },
    /// Removes the element at a position of a multiset.
    Remove(Place, Subscript),
    /// Removes all elements that satisfy a condition.
    RemoveAll(Box<Elements>),

    /// Writes a code into a cell of the state.
    SetCell(u32, u32),
    /// Assigns a scalar in a cell of the state.
    AssignCell(u32, Expr, Target),
}

/// What is added to a multiset.
#[derive(Clone, PartialEq, Debug)]
pub enum Element {
    /// A scalar.
    Value(Expr, Target),
    /// A record or an array.
    Cells(Place),
}
