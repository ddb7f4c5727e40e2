//! A model of guarded commands: types, the layout of the state, rules, start states, properties.
//!
//! The state is a vector of cells, one for each scalar. A cell holds a code: 0 where its value is
//! undefined, and 1 for the lowest value of its type. Members of enumerations and scalarsets have
//! values of their own throughout a model, so that a union needs no conversion.

use crate::code::{Block, Expr, Place};
use crate::fault::Site;
use execution::id;
use execution::ids::IdVec;
use execution::span::Span;
use std::collections::BTreeMap;
use std::sync::Arc;

id! {
    /// A scalar type.
    pub struct ScalarId("scalar");
}

id! {
    /// A type.
    pub struct TypeId("type");
}

id! {
    /// A function or procedure.
    pub struct FunctionId("function");
}

id! {
    /// A rule, in the order of the source.
    pub struct RuleId("rule");
}

id! {
    /// A property, in the order of the source.
    pub struct PropertyId("property");
}

id! {
    /// A place in the code at which something can go wrong.
    pub struct SiteId("site");
}

/// What a scalar is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScalarKind {
    /// `false` is 0 and `true` is 1.
    Boolean,
    /// Numbers; the value is the number.
    Range,
    /// Members by name.
    Enum(Vec<Arc<str>>),
    /// Members that nothing distinguishes.
    Scalarset,
    /// The members of enumerations and scalarsets, which are parts of it.
    Union(Vec<ScalarId>),
    /// Positions in a multiset with so many.
    Position,
}

/// A scalar type: its values are `low..=high`, of a union those of its parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scalar {
    /// Its name in the source, if it has one.
    pub name: Option<Arc<str>>,
    /// What it is.
    pub kind: ScalarKind,
    /// The lowest value.
    pub low: i64,
    /// The highest value.
    pub high: i64,
    /// How many of the highest values quantifiers, loops and rulesets leave out: they stand for
    /// members that are not considered.
    pub hidden: i64,
}

impl Scalar {
    /// How many values lie between the lowest and the highest.
    pub fn span(&self) -> u32 {
        (self.high - self.low + 1) as u32
    }
}

/// A field of a record.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub ty: TypeId,
    /// Its first cell in the record.
    pub offset: u32,
}

/// A type; equal types have equal ids.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// One cell.
    Scalar(ScalarId),
    /// One element after the other.
    Array {
        /// What it is indexed by.
        index: ScalarId,
        /// What its elements are.
        element: TypeId,
    },
    /// One field after the other.
    Record(Vec<Field>),
    /// Slots of a presence cell and an element each; see [`Model::slot_size`].
    Multiset {
        /// How many slots.
        capacity: u32,
        /// What its elements are.
        element: TypeId,
    },
}

/// All types of a model.
#[derive(Clone, Default, Debug)]
pub struct Types {
    /// Scalar types.
    pub scalars: IdVec<ScalarId, Scalar>,
    types: IdVec<TypeId, Type>,
    sizes: IdVec<TypeId, u32>,
}

impl Types {
    /// The id of a type, and how many cells it has; `None` if these are more than 2^24.
    pub fn intern(&mut self, ty: Type) -> Option<TypeId> {
        if let Some((id, _)) = self.types.enumerate().find(|(_, known)| **known == ty) {
            return Some(id);
        }
        let size: u64 = match &ty {
            Type::Scalar(_) => 1,
            Type::Array { index, element } => {
                u64::from(self.scalars[*index].span()) * u64::from(self.size(*element))
            }
            Type::Record(fields) => fields.iter().map(|field| u64::from(self.size(field.ty))).sum(),
            Type::Multiset { capacity, element } => {
                u64::from(*capacity) * (u64::from(self.size(*element)) + 1)
            }
        };
        let size = u32::try_from(size).ok().filter(|size| *size <= 1 << 24)?;
        self.sizes.push(size);
        Some(self.types.push(ty))
    }

    /// A type.
    pub fn get(&self, ty: TypeId) -> &Type {
        &self.types[ty]
    }

    /// How many cells a value of this type has.
    pub fn size(&self, ty: TypeId) -> u32 {
        self.sizes[ty]
    }

    /// The values of a scalar type, lowest first, as ranges without gaps.
    pub fn ranges(&self, scalar: ScalarId) -> Vec<(i64, i64)> {
        let scalar = &self.scalars[scalar];
        match &scalar.kind {
            ScalarKind::Union(parts) => {
                let mut ranges: Vec<_> = parts.iter().flat_map(|part| self.ranges(*part)).collect();
                ranges.sort_unstable();
                ranges
            }
            _ => vec![(scalar.low, scalar.high - scalar.hidden)],
        }
    }

    /// Whether nothing distinguishes some values of a scalar type.
    pub fn has_no_order(&self, scalar: ScalarId) -> bool {
        matches!(self.scalars[scalar].kind, ScalarKind::Scalarset | ScalarKind::Union(_))
    }

    /// The values of a scalar type, lowest first.
    pub fn values(&self, scalar: ScalarId) -> impl Iterator<Item = i64> + use<> {
        self.ranges(scalar).into_iter().flat_map(|(low, high)| low..=high)
    }

    /// What each cell of a value holds: a scalar, or (`None`) whether a slot is in use.
    pub fn cells(&self, ty: TypeId, cells: &mut Vec<Option<ScalarId>>) {
        match self.get(ty) {
            Type::Scalar(scalar) => cells.push(Some(*scalar)),
            Type::Array { index, element } => {
                for _ in 0..self.scalars[*index].span() {
                    self.cells(*element, cells);
                }
            }
            Type::Record(fields) => fields.iter().for_each(|field| self.cells(field.ty, cells)),
            Type::Multiset { capacity, element } => {
                for _ in 0..*capacity {
                    cells.push(None);
                    self.cells(*element, cells);
                }
            }
        }
    }
}

/// A variable of the state.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub ty: TypeId,
    /// Its first cell.
    pub cell: u32,
}

/// What is chosen before a rule is executed: an element of a type, of a range, or of a multiset.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: Arc<str>,
    /// The frame cell that holds its value.
    pub slot: u32,
    /// What it is an element of.
    pub domain: ParameterDomain,
}

/// What a parameter is an element of.
#[derive(Clone, Debug)]
pub enum ParameterDomain {
    /// A scalar type.
    Scalar(ScalarId),
    /// Every `step`-th number.
    Numbers {
        /// The first.
        from: i64,
        /// The last, or the one before which it ends.
        to: i64,
        /// The difference of two, which is not 0.
        step: i64,
    },
    /// A slot of a multiset that is in use.
    Multiset {
        /// The multiset.
        place: Box<Place>,
        /// How many slots it has.
        capacity: u32,
        /// How many cells each slot has.
        stride: u32,
        /// The type of positions.
        position: ScalarId,
    },
}

/// A rule or a start state.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name, or `rule 7`.
    pub name: Arc<str>,
    /// Where it is.
    pub span: Span,
    /// What is chosen first.
    pub parameters: Vec<Parameter>,
    /// When it is enabled.
    pub guard: Expr,
    /// What it does.
    pub body: Block,
    /// How many cells its frame has.
    pub frame: u32,
}

/// What a property says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PropertyKind {
    /// It is true of all states.
    Invariant,
    /// States of which it is false are left out.
    Assume,
    /// It is true of some state.
    Cover,
}

/// A property of states.
#[derive(Clone, Debug)]
pub struct Property {
    /// What it says.
    pub kind: PropertyKind,
    /// Its name, if it has one.
    pub name: Option<Arc<str>>,
    /// Where it is.
    pub span: Span,
    /// For which elements it is asked, one by one.
    pub parameters: Vec<Parameter>,
    /// What is true.
    pub condition: Expr,
    /// How many cells its frame has.
    pub frame: u32,
}

/// A function or procedure.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Arc<str>,
    /// Where its name is.
    pub span: Span,
    /// How many cells its frame has; parameters come first.
    pub frame: u32,
    /// What it does.
    pub body: Block,
    /// Whether it has a result.
    pub has_result: bool,
}

/// A model.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Its types.
    pub types: Types,
    /// The state.
    pub variables: Vec<Variable>,
    /// How many cells the state has.
    pub cells: u32,
    /// Functions and procedures.
    pub functions: IdVec<FunctionId, Function>,
    /// Rules.
    pub rules: IdVec<RuleId, Rule>,
    /// Start states.
    pub starts: Vec<Rule>,
    /// Properties.
    pub properties: IdVec<PropertyId, Property>,
    /// Scalarsets that must not be permuted, because a loop depends on the order of their members;
    /// with what holds the loop.
    pub ordered: BTreeMap<ScalarId, Arc<str>>,
    /// Where what can go wrong.
    pub sites: IdVec<SiteId, Site>,
}

impl Model {
    /// How many cells a slot of a multiset has: one says whether it is in use.
    pub fn slot_size(&self, element: TypeId) -> u32 {
        self.types.size(element) + 1
    }

    /// What each cell of the state holds: a scalar, or (`None`) whether a slot is in use.
    pub fn layout(&self) -> Vec<Option<ScalarId>> {
        let mut cells = Vec::with_capacity(self.cells as usize);
        for variable in &self.variables {
            self.types.cells(variable.ty, &mut cells);
        }
        cells
    }

    /// The largest code of each cell of the state.
    pub fn largest_codes(&self) -> Vec<u32> {
        let span = |cell: &Option<ScalarId>| cell.map_or(1, |id| self.types.scalars[id].span());
        self.layout().iter().map(span).collect()
    }
}
