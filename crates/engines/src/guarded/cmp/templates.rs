//! The templates of lemmas: what a lemma may say of the variables of one or a few members.
//!
//! A lemma says that some facts are not true together, for any (distinct) members. The facts are
//! that a *column* has a value, or another one; this file is the list of columns. To add a template,
//! add a variant to [`Column`], its value in [`Columns::value`], its text in [`super::show`], and
//! the places where it is offered in [`Columns::new`].
//!
//! | Template | Column | A lemma that it makes |
//! | --- | --- | --- |
//! | constants | `Value` | `forall i: state[i] = Exclusive -> answer[i] = NoAnswer` |
//! | ownership | `Is` | `forall i: state[i] = Exclusive -> owner = i` |
//! | uniqueness | `Value` of two members | `forall i, j: i = j \| at[i] != In \| at[j] != In` |
//! | fields of what a variable points to | `Value` of a field | `forall i: pc[i] = Link -> !marked[pred[i]]` |
//! | equalities | `Same` | `forall i: state[i] != Invalid -> copy[i] = latest` |
//! | orders | `Less` | `forall i: pc[i] = Walk -> key[pred[i]] < arg[i]` |
//! | reachability along a pointer field | `Reach` | `forall i: pc[i] = Link -> curr[i] is reachable` |
//!
//! Members of other scalarsets are not named by constants: lemmas treat them as equals.

use super::tuple::Tuple;
use guarded::model::{Model, ScalarId, ScalarKind, Type, TypeId};
use guarded::reduction::layout::Layout;
use guarded::reduction::{OTHER, Reduction, UNKNOWN};

/// The most equalities, orders and reachabilities that are offered, each.
const MOST_RELATIONS: usize = 160;

/// The value of a column of relations.
const FALSE: u16 = 1;

/// And if it is true; where something is undefined it is 0.
pub const TRUE: u16 = 2;

/// The value of a cell that holds a member, whichever.
pub const MEMBER: u16 = OTHER - 10;

/// Something that has a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    /// A cell that an abstract state has.
    Cell(usize),
    /// A part of the element of an array at which a cell points.
    Field {
        /// The cell that points.
        pointer: usize,
        /// The part of the array's first element.
        first: usize,
        /// How many cells an element has.
        stride: usize,
    },
    /// The element with this code, of the type.
    Constant(u16, ScalarId),
}

/// What has one of a few values in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Column {
    /// The code of a term; [`MEMBER`] for all members.
    Value(Term),
    /// Whether a term is the member in a position.
    Is(Term, usize),
    /// Whether a term is defined.
    Defined(Term),
    /// Whether two terms are equal.
    Same(Term, Term),
    /// Whether one is less than the other.
    Less(Term, Term),
    /// Whether, along a part of an array that holds its own indices, the second is reached from the
    /// first.
    Reach {
        /// From where.
        from: Term,
        /// To where.
        to: Term,
        /// The part of the array's first element.
        first: usize,
        /// How many cells an element has.
        stride: usize,
    },
}

/// The columns of a model, those that make the better lemmas first.
#[derive(Clone, Debug)]
pub struct Columns {
    /// In order.
    pub all: Vec<Column>,
    /// The text of each cell that can be named, with `{0}` for the member in the first position.
    pub names: Vec<Option<String>>,
    /// The least number of each cell's type, less one.
    biases: Vec<i64>,
}

impl Columns {
    /// The columns of a model.
    pub fn new(reduction: &Reduction) -> Self {
        let model = reduction.model();
        let mut walk = Walk { model, set: reduction.set, names: Vec::new(), arrays: Vec::new() };
        for variable in &model.variables {
            walk.part(variable.ty, Some(variable.name.to_string()), false);
        }
        let layout = &reduction.layout;
        let bias =
            |cell: &guarded::reduction::layout::Cell| model.types.scalars[cell.scalar].low - 1;
        let biases = layout.cells.iter().map(bias).collect();
        let offer = Offer { reduction, names: &walk.names, arrays: &walk.arrays };
        let all = offer.columns();
        Self { all, names: walk.names, biases }
    }

    /// The value of a column in a state in which a tuple's members have the positions.
    pub fn value(&self, layout: &Layout, column: u32, codes: &[u16], tuple: &Tuple) -> u16 {
        let view = View { layout, codes, tuple };
        let relation = |is: bool| if is { TRUE } else { FALSE };
        match &self.all[column as usize] {
            Column::Value(term) => match view.term(term) {
                (OTHER, _) => MEMBER,
                (UNKNOWN, _) => UNKNOWN,
                (code, cell) if layout.cells[cell].member(code).is_some() => MEMBER,
                (code, _) => code,
            },
            Column::Is(term, position) => match view.term(term) {
                (UNKNOWN, _) => UNKNOWN,
                (OTHER, _) if tuple.is_tracked(*position) => FALSE,
                (OTHER, _) => UNKNOWN,
                (code, cell) => {
                    let member = layout.cells[cell].member(code);
                    relation(member.is_some() && member == tuple.member(*position))
                }
            },
            Column::Defined(term) => match view.term(term).0 {
                UNKNOWN => UNKNOWN,
                code => relation(code != 0),
            },
            Column::Same(left, right) => match (view.term(left).0, view.term(right).0) {
                (UNKNOWN, _) | (_, UNKNOWN) => UNKNOWN,
                (0, _) | (_, 0) => 0,
                (left, right) => relation(left == right),
            },
            Column::Less(left, right) => match (view.term(left), view.term(right)) {
                ((UNKNOWN, _), _) | (_, (UNKNOWN, _)) => UNKNOWN,
                ((0, _), _) | (_, (0, _)) => 0,
                ((left, a), (right, b)) => {
                    relation(i64::from(left) + self.biases[a] < i64::from(right) + self.biases[b])
                }
            },
            Column::Reach { from, to, first, stride } => {
                match (view.term(from).0, view.term(to).0) {
                    (UNKNOWN, _) | (_, UNKNOWN) => UNKNOWN,
                    (0, _) | (_, 0) => 0,
                    (from, to) => {
                        let largest = layout.cells[*first].largest;
                        let mut at = from;
                        for _ in 0..=largest {
                            if at == to || at == 0 {
                                break;
                            }
                            at = codes[first + (at as usize - 1) * stride];
                        }
                        relation(at == to)
                    }
                }
            }
        }
    }

    /// Calls a function for each cell on which a column depends.
    pub fn cells(&self, layout: &Layout, column: u32, found: &mut dyn FnMut(usize)) {
        let mut of_term = |term: &Term| match term {
            Term::Cell(cell) => found(*cell),
            Term::Constant(..) => {}
            Term::Field { pointer, first, stride } => {
                found(*pointer);
                let largest = layout.cells[*pointer].largest as usize;
                (0..largest).for_each(|element| found(first + element * stride));
            }
        };
        match &self.all[column as usize] {
            Column::Value(term) | Column::Is(term, _) | Column::Defined(term) => of_term(term),
            Column::Same(left, right) | Column::Less(left, right) => {
                of_term(left);
                of_term(right);
            }
            Column::Reach { from, to, first, stride } => {
                of_term(from);
                of_term(to);
                let largest = layout.cells[*first].largest as usize;
                (0..largest).for_each(|element| found(first + element * stride));
            }
        }
    }
}

struct View<'v> {
    layout: &'v Layout,
    codes: &'v [u16],
    tuple: &'v Tuple,
}

impl View<'_> {
    /// The code of a term, and the cell that has it.
    fn term(&self, term: &Term) -> (u16, usize) {
        match term {
            Term::Cell(cell) => {
                let cell = self.tuple.cell(*cell);
                (self.codes[cell], cell)
            }
            Term::Field { pointer, first, stride } => {
                let pointer = self.tuple.cell(*pointer);
                match self.codes[pointer] {
                    UNKNOWN => (UNKNOWN, pointer),
                    0 => (0, *first),
                    code => {
                        let cell = first + (code as usize - 1) * stride;
                        debug_assert!(self.layout.cells[cell].members.is_empty());
                        (self.codes[cell], cell)
                    }
                }
            }
            Term::Constant(code, _) => (*code, 0),
        }
    }
}

/// An array of no member, indexed by a type that is not the scalarset.
struct Array {
    index: ScalarId,
    /// The first cell of its first element, and how many cells an element has.
    first: usize,
    stride: usize,
}

/// Finds the names of cells, and arrays.
struct Walk<'m> {
    model: &'m Model,
    set: ScalarId,
    names: Vec<Option<String>>,
    arrays: Vec<Array>,
}

impl Walk<'_> {
    fn part(&mut self, ty: TypeId, name: Option<String>, inside: bool) {
        let types = &self.model.types;
        match types.get(ty) {
            Type::Scalar(_) => self.names.push(name),
            Type::Record(fields) => {
                for field in fields {
                    let name = name.as_ref().map(|name| format!("{name}.{}", field.name));
                    self.part(field.ty, name, inside);
                }
            }
            Type::Array { index, element } => {
                let scalar = &types.scalars[*index];
                if !inside && *index != self.set {
                    let stride = types.size(*element) as usize;
                    self.arrays.push(Array { index: *index, first: self.names.len(), stride });
                }
                for value in scalar.low..=scalar.high {
                    let index = match scalar.kind {
                        // The first member is in the first position, and so on; those that are not
                        // tracked are never named.
                        ScalarKind::Scalarset if *index == self.set => {
                            Some(format!("{{{}}}", value - scalar.low))
                        }
                        ScalarKind::Scalarset | ScalarKind::Union(_) => None,
                        _ => Some(guarded::show::value(self.model, *index, value)),
                    };
                    let name = name.as_ref().zip(index).map(|(name, at)| format!("{name}[{at}]"));
                    self.part(*element, name, true);
                }
            }
            Type::Multiset { .. } => unreachable!("models with multisets are not reduced"),
        }
    }
}

/// Offers columns.
struct Offer<'o> {
    reduction: &'o Reduction,
    names: &'o [Option<String>],
    arrays: &'o [Array],
}

impl Offer<'_> {
    fn columns(&self) -> Vec<Column> {
        let plain: Vec<usize> = self
            .reduction
            .kept
            .iter()
            .copied()
            .filter(|cell| self.names[*cell].is_some())
            .collect();
        let (own, shared): (Vec<usize>, Vec<usize>) =
            plain.into_iter().partition(|cell| !self.cell(*cell).members.is_empty());
        let in_array = |cell: &usize| self.arrays.iter().any(|array| self.is_in(*cell, array));
        let (elements, globals): (Vec<usize>, Vec<usize>) = shared.into_iter().partition(in_array);
        let fields = self.fields(own.iter().chain(&globals).copied());
        let (numbers, names): (Vec<usize>, Vec<usize>) =
            own.iter().partition(|cell| self.kind(**cell) == &ScalarKind::Range);
        let cells =
            |cells: &[usize]| -> Vec<Term> { cells.iter().copied().map(Term::Cell).collect() };
        let terms: Vec<Term> = [cells(&own), cells(&globals), fields.clone()].concat();
        let mut all = Vec::new();
        self.plain(&cells(&names), &mut all);
        self.plain(&fields, &mut all);
        self.plain(&cells(&globals), &mut all);
        self.reach(&own, &globals, &mut all);
        self.relations(&terms, &mut all);
        self.plain(&cells(&numbers), &mut all);
        self.plain(&cells(&elements), &mut all);
        all
    }

    fn cell(&self, cell: usize) -> &guarded::reduction::layout::Cell {
        &self.reduction.layout.cells[cell]
    }

    fn kind(&self, cell: usize) -> &ScalarKind {
        &self.reduction.model().types.scalars[self.cell(cell).scalar].kind
    }

    fn is_in(&self, cell: usize, array: &Array) -> bool {
        let count = self.reduction.model().types.scalars[array.index].span() as usize;
        (array.first..array.first + count * array.stride).contains(&cell)
    }

    /// The cell of which a term has the type.
    fn shape(&self, term: &Term) -> usize {
        match term {
            Term::Cell(cell) | Term::Field { first: cell, .. } => *cell,
            Term::Constant(..) => unreachable!("constants are not offered alone"),
        }
    }

    /// Parts of what cells point to.
    fn fields(&self, pointers: impl Iterator<Item = usize>) -> Vec<Term> {
        let mut fields = Vec::new();
        for pointer in pointers {
            for array in self.arrays.iter().filter(|a| a.index == self.cell(pointer).scalar) {
                for part in 0..array.stride {
                    let first = array.first + part;
                    if self.cell(first).members.is_empty() {
                        fields.push(Term::Field { pointer, first, stride: array.stride });
                    }
                }
            }
        }
        fields
    }

    /// The values of terms, and which members they are.
    fn plain(&self, terms: &[Term], all: &mut Vec<Column>) {
        for term in terms {
            let shape = self.shape(term);
            if self.cell(shape).is_pointer() {
                let is = (0..self.reduction.tracked).map(|position| Column::Is(*term, position));
                all.extend(is);
            }
            match self.kind(shape) {
                ScalarKind::Scalarset => all.push(Column::Defined(*term)),
                _ => all.push(Column::Value(*term)),
            }
        }
    }

    /// Equalities and orders of terms of which one at least belongs to a member.
    fn relations(&self, terms: &[Term], all: &mut Vec<Column>) {
        let scalars = &self.reduction.model().types.scalars;
        let of_member = |term: &Term| match term {
            Term::Cell(cell) | Term::Field { pointer: cell, .. } => {
                !self.cell(*cell).members.is_empty()
            }
            Term::Constant(..) => false,
        };
        let (mut same, mut less) = (Vec::new(), Vec::new());
        for (number, left) in terms.iter().enumerate() {
            for right in &terms[number + 1..] {
                let (a, b) = (self.cell(self.shape(left)), self.cell(self.shape(right)));
                if a.is_pointer() || b.is_pointer() || !(of_member(left) || of_member(right)) {
                    continue;
                }
                let (a_kind, b_kind) = (&scalars[a.scalar], &scalars[b.scalar]);
                let numbers = [&a_kind.kind, &b_kind.kind].iter().all(|k| **k == ScalarKind::Range);
                if a.scalar == b.scalar && (numbers || a_kind.kind == ScalarKind::Scalarset) {
                    same.push(Column::Same(*left, *right));
                }
                if numbers && a_kind.low <= b_kind.high && b_kind.low <= a_kind.high {
                    less.push(Column::Less(*left, *right));
                    less.push(Column::Less(*right, *left));
                }
            }
        }
        all.extend(same.into_iter().take(MOST_RELATIONS));
        all.extend(less.into_iter().take(MOST_RELATIONS));
    }

    /// Reachability along parts of arrays that hold indices of the array.
    fn reach(&self, own: &[usize], globals: &[usize], all: &mut Vec<Column>) {
        let mut found = Vec::new();
        for array in self.arrays {
            let scalar = array.index;
            let is_set = self.reduction.model().types.scalars[scalar].kind == ScalarKind::Scalarset;
            let parts = (array.first..array.first + array.stride)
                .filter(|cell| self.cell(*cell).scalar == scalar);
            for first in parts {
                let of_type = |cell: &&usize| self.cell(**cell).scalar == scalar;
                let ends: Vec<Term> = own.iter().filter(of_type).map(|c| Term::Cell(*c)).collect();
                let mut starts: Vec<Term> =
                    globals.iter().filter(of_type).map(|cell| Term::Cell(*cell)).collect();
                if !is_set {
                    starts.push(Term::Constant(1, scalar));
                }
                let stride = array.stride;
                for to in &ends {
                    let from_own = ends.iter().filter(|from| *from != to);
                    for from in starts.iter().chain(from_own) {
                        found.push(Column::Reach { from: *from, to: *to, first, stride });
                    }
                }
            }
        }
        all.extend(found.into_iter().take(MOST_RELATIONS));
    }
}
