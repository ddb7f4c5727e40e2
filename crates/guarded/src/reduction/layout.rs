//! Which cells of a state belong to which members, and which hold members.

use super::depend::{Reason, contains};
use crate::model::{Model, ScalarId, Type, TypeId};
use std::collections::HashMap;

/// A cell of the state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Its type.
    pub scalar: ScalarId,
    /// The members to which it belongs: the indices of this type on the way to it.
    pub members: Vec<usize>,
    /// Its largest code.
    pub largest: u16,
    /// The code of the first member, if it can hold members.
    first_member: Option<u16>,
    /// How many members there are.
    count: usize,
    /// Cells that differ only in their members are of one kind.
    kind: usize,
}

impl Cell {
    /// Whether it can hold members.
    pub fn is_pointer(&self) -> bool {
        self.first_member.is_some()
    }

    /// The member that a code stands for.
    pub fn member(&self, code: u16) -> Option<usize> {
        let member = usize::from(code.checked_sub(self.first_member?)?);
        (member < self.count).then_some(member)
    }

    /// The code of a member.
    pub fn code_of(&self, member: usize) -> u16 {
        self.first_member.unwrap_or(0) + member as u16
    }
}

/// All cells of a state.
#[derive(Clone, Debug)]
pub struct Layout {
    /// In the order of the state.
    pub cells: Vec<Cell>,
    by_members: HashMap<(usize, Vec<usize>), usize>,
}

impl Layout {
    /// The layout of a model's states.
    pub fn new(model: &Model, set: ScalarId) -> Result<Self, Reason> {
        let layout = Self { cells: Vec::new(), by_members: HashMap::new() };
        let mut walk = Walk { model, set, layout, kinds: HashMap::new(), path: Vec::new() };
        for (number, variable) in model.variables.iter().enumerate() {
            walk.path = vec![number as u32];
            walk.part(variable.ty, &mut Vec::new())?;
        }
        Ok(walk.layout)
    }

    /// The cell that belongs to other members, where members of the cell are given by position.
    pub fn renamed(&self, cell: usize, members: &[usize]) -> usize {
        let this = &self.cells[cell];
        if this.members.is_empty() {
            return cell;
        }
        let renamed = this.members.iter().map(|member| members[*member]).collect();
        self.by_members[&(this.kind, renamed)]
    }
}

struct Walk<'m> {
    model: &'m Model,
    set: ScalarId,
    layout: Layout,
    kinds: HashMap<Vec<u32>, usize>,
    /// Which part is walked, without members.
    path: Vec<u32>,
}

impl Walk<'_> {
    fn part(&mut self, ty: TypeId, members: &mut Vec<usize>) -> Result<(), Reason> {
        let scalars = &self.model.types.scalars;
        let set = &scalars[self.set];
        match self.model.types.get(ty) {
            Type::Scalar(scalar) => {
                let this = &scalars[*scalar];
                let is_pointer = contains(self.model, *scalar, self.set);
                let largest = u16::try_from(this.span()).ok().filter(|code| *code < 60_000);
                let count = self.kinds.len();
                let kind = *self.kinds.entry(self.path.clone()).or_insert(count);
                self.layout.by_members.insert((kind, members.clone()), self.layout.cells.len());
                self.layout.cells.push(Cell {
                    scalar: *scalar,
                    members: members.clone(),
                    largest: largest.ok_or("a type has too many values")?,
                    first_member: is_pointer.then(|| (set.low - this.low + 1) as u16),
                    count: set.span() as usize,
                    kind,
                });
                Ok(())
            }
            Type::Array { index, element } => {
                let this = &scalars[*index];
                let has_members = contains(self.model, *index, self.set);
                for value in this.low..=this.high {
                    let member = has_members && (set.low..=set.high).contains(&value);
                    match member {
                        true => {
                            members.push((value - set.low) as usize);
                            self.path.push(u32::MAX);
                        }
                        false => self.path.push((value - this.low) as u32),
                    }
                    self.part(*element, members)?;
                    self.path.pop();
                    if member {
                        members.pop();
                    }
                }
                Ok(())
            }
            Type::Record(fields) => {
                for (number, field) in fields.iter().enumerate() {
                    self.path.push(number as u32);
                    self.part(field.ty, members)?;
                    self.path.pop();
                }
                Ok(())
            }
            Type::Multiset { .. } => Err("there is a multiset"),
        }
    }
}
