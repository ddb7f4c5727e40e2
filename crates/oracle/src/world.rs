//! What all threads of one program share while they are enumerated: memory cells, interned
//! values and set names, and the values that each cell may hold.
//!
//! Memory is a set of cells, one per (global, byte offset) that is accessed. Accesses of
//! different widths to one cell see the low bits of it; accesses that overlap without starting
//! at the same byte are refused.

use execution::ids::Id;
use ir::op::CastOp;
use ir::program::{BlockId, FuncId, GlobalId, InitData, Program, Width};
use ir::value::{RegionId, Value};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

execution::id! {
    /// A memory cell.
    pub struct CellId("cell");
}

execution::id! {
    /// An interned value, 64 bits wide.
    pub struct ValueId("v");
}

execution::id! {
    /// A set of events by its name in the cat language.
    pub struct SetId("set");
}

/// A memory cell.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The global it is in.
    pub global: GlobalId,
    /// Its offset in bytes.
    pub offset: u64,
    /// How it is printed.
    pub name: Arc<str>,
    /// What it starts with.
    pub initial: ValueId,
    /// The widest access to it, in bytes.
    pub bytes: u64,
    /// The values it may hold, as far as is known.
    pub possible: Vec<ValueId>,
}

/// The value of a read that nothing but itself decides: a copy of a copy of … itself. herd
/// prints such a value as a symbol. It survives truncation and extension, so that copies of it
/// are recognised.
pub const SYMBOLIC: u128 = 0x5e1f_c0de;

/// Bases of globals are this far apart.
const SPACING: u64 = 1 << 24;

/// Cells, values and set names.
#[derive(Debug)]
pub struct World<'p> {
    /// The program.
    pub program: &'p Program,
    /// The cells.
    pub cells: Vec<Cell>,
    by_place: HashMap<(GlobalId, u64), CellId>,
    values: Vec<Value>,
    value_ids: HashMap<(u128, Option<RegionId>), ValueId>,
    sets: Vec<Arc<str>>,
    set_ids: HashMap<Arc<str>, SetId>,
    /// The instructions that have written to memory in some execution of a thread.
    pub writers: HashSet<(FuncId, BlockId, u32)>,
}

impl<'p> World<'p> {
    /// The world of a program.
    pub fn new(program: &'p Program) -> Self {
        Self {
            program,
            cells: Vec::new(),
            by_place: HashMap::new(),
            values: Vec::new(),
            value_ids: HashMap::new(),
            sets: Vec::new(),
            set_ids: HashMap::new(),
            writers: HashSet::new(),
        }
    }

    /// The address of a global.
    pub fn address(global: GlobalId) -> Value {
        Value::pointer(RegionId::new(global.index()), (global.index() as u64 + 1) * SPACING)
    }

    /// The cell at an address, if the address may access one.
    pub fn cell_at(&mut self, address: Value, bytes: u64) -> Option<CellId> {
        let region = address.provenance?;
        let global = GlobalId::new(region.index());
        let offset = address.low().wrapping_sub(World::address(global).low());
        let size = self.program.globals.get(global)?.size;
        if !address.is_defined() || offset >= size {
            return None;
        }
        let cell = self.cell(global, offset);
        let known = &mut self.cells[cell.index()].bytes;
        *known = bytes.max(*known);
        Some(cell)
    }

    /// The cell at an offset into a global.
    pub fn cell(&mut self, global: GlobalId, offset: u64) -> CellId {
        if let Some(&cell) = self.by_place.get(&(global, offset)) {
            return cell;
        }
        let initial = self.initial(global, offset);
        let initial = self.value(initial);
        let name = &self.program.globals[global].name;
        let name =
            if offset == 0 { name.as_str().into() } else { format!("{name}+{offset}").into() };
        let cell = CellId::new(self.cells.len());
        let possible = vec![initial];
        self.cells.push(Cell { global, offset, name, initial, bytes: 0, possible });
        self.by_place.insert((global, offset), cell);
        cell
    }

    fn initial(&self, global: GlobalId, offset: u64) -> Value {
        for part in &self.program.globals[global].init {
            match &part.data {
                InitData::Bytes(bytes) => {
                    let inside = offset.checked_sub(part.offset).map(|start| start as usize);
                    if let Some(start) = inside.filter(|start| *start < bytes.len()) {
                        let end = bytes.len().min(start + 8);
                        let mut word = [0; 8];
                        word[..end - start].copy_from_slice(&bytes[start..end]);
                        return Value::int(Width::I64, u64::from_le_bytes(word).into());
                    }
                }
                InitData::Global(target, shift) if part.offset == offset => {
                    return World::address(*target).offset(*shift);
                }
                InitData::Global(..) | InitData::Function(_) => {}
            }
        }
        Value::int(Width::I64, 0)
    }

    /// Two cells that overlap, if there are any.
    pub fn overlap(&self) -> Option<(&Cell, &Cell)> {
        self.cells.iter().find_map(|a| {
            let inside = |b: &&Cell| {
                a.global == b.global && b.offset > a.offset && b.offset < a.offset + a.bytes
            };
            self.cells.iter().find(inside).map(|b| (a, b))
        })
    }

    /// Interns a value, widened to 64 bits.
    pub fn value(&mut self, value: Value) -> ValueId {
        let value = if value.width == Width::I64 {
            value
        } else if value.width < Width::I64 {
            value.cast(CastOp::ZeroExtend, Width::I64)
        } else {
            value.cast(CastOp::Truncate, Width::I64)
        };
        *self.value_ids.entry((value.bits, value.provenance)).or_insert_with(|| {
            self.values.push(value);
            ValueId::new(self.values.len() - 1)
        })
    }

    /// The id of a value, if it has been interned.
    pub fn find(&self, value: Value) -> Option<ValueId> {
        self.value_ids.get(&(value.bits, value.provenance)).copied()
    }

    /// The cell at an offset into a global, if it is accessed.
    pub fn find_cell(&self, global: GlobalId, offset: u64) -> Option<CellId> {
        self.by_place.get(&(global, offset)).copied()
    }

    /// What a global starts with at an offset.
    pub fn initial_value(&self, global: GlobalId, offset: u64) -> Value {
        self.initial(global, offset)
    }

    /// The value of an id.
    pub fn value_of(&self, id: ValueId) -> Value {
        self.values[id.index()]
    }

    /// The value of an id, in a width.
    pub fn value_as(&self, id: ValueId, width: Width) -> Value {
        let value = self.value_of(id);
        match width.cmp(&Width::I64) {
            std::cmp::Ordering::Less => value.cast(CastOp::Truncate, width),
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Greater => value.cast(CastOp::ZeroExtend, width),
        }
    }

    /// Whether a value is the symbolic one.
    pub fn is_symbolic(&self, id: ValueId) -> bool {
        let value = self.value_of(id);
        value.bits == SYMBOLIC && value.provenance.is_none()
    }

    /// How a value is printed: an address by its name.
    pub fn describe(&self, id: ValueId) -> String {
        let value = self.value_of(id);
        match value.provenance.filter(|_| value.low() != 0) {
            Some(region) => {
                let global = GlobalId::new(region.index());
                let name = self.program.globals.get(global).map_or("?", |g| g.name.as_str());
                let offset = value.low().wrapping_sub(World::address(global).low()) as i64;
                if offset == 0 { name.to_string() } else { format!("{name}{offset:+}") }
            }
            None if self.is_symbolic(id) => "S".to_string(),
            None => value.as_signed().to_string(),
        }
    }

    /// Interns the name of a set.
    pub fn set(&mut self, name: &str) -> SetId {
        if let Some(&id) = self.set_ids.get(name) {
            return id;
        }
        let name: Arc<str> = name.into();
        let id = SetId::new(self.sets.len());
        self.sets.push(name.clone());
        self.set_ids.insert(name, id);
        id
    }

    /// The name of a set.
    pub fn set_name(&self, id: SetId) -> &Arc<str> {
        &self.sets[id.index()]
    }
}
