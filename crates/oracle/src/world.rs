//! What all threads of one program share while they are enumerated: memory cells, interned
//! values and set names, and the values that each cell may hold.
//!
//! Memory is a set of cells. In litmus tests there is one per (global, byte offset) that is
//! accessed; accesses of different widths to one cell see the low bits of it, and accesses that
//! overlap without starting at the same byte are refused. In C programs there is one per (object,
//! byte offset, width); where these overlap, executions are put together from parts of them (see
//! [`crate::parts`]), each a cell as well.

use crate::objects::{Life, Objects};
use execution::ids::Id;
use ir::op::CastOp;
use ir::program::{BlockId, FuncId, GlobalId, InitData, LocId, Program, Width};
use ir::value::{RegionId, Value};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

execution::id! {
    /// A memory cell.
    pub struct CellId("cell");
}

execution::id! {
    /// An interned value.
    pub struct ValueId("v");
}

execution::id! {
    /// A set of events by its name in the cat language.
    pub struct SetId("set");
}

/// A memory cell.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The object it is in; in litmus tests, objects are globals.
    pub region: RegionId,
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
    /// An instruction that accesses it.
    pub place: Option<LocId>,
    /// Whether it is only a part of what is accessed (see [`crate::parts`]).
    pub part: bool,
}

fn is_symbolic(value: Value) -> bool {
    value.bits == SYMBOLIC && value.provenance.is_none()
}

/// What the cells of a freed block hold: no value that a program can make.
pub fn freed() -> Value {
    let nowhere = Some(RegionId::new(u32::MAX as usize - 1));
    Value { high: nowhere, ..Value::bool(false) }
}

/// The value of a read that nothing but itself decides: a copy of a copy of … itself. herd
/// prints such a value as a symbol. It survives truncation and extension, so that copies of it
/// are recognised.
pub const SYMBOLIC: u128 = 0x5e1f_c0de;

/// Bases of globals are this far apart.
const SPACING: u64 = 1 << 24;

/// Cells, values and set names.
#[derive(Clone, Debug)]
pub struct World<'p> {
    /// The program.
    pub program: &'p Program,
    /// The cells.
    pub cells: Vec<Cell>,
    by_place: HashMap<(RegionId, u64, u64), CellId>,
    values: Vec<Value>,
    value_ids: HashMap<Value, ValueId>,
    sets: Vec<Arc<str>>,
    set_ids: HashMap<Arc<str>, SetId>,
    /// The instructions that have written to memory in some execution of a thread.
    pub writers: HashSet<(FuncId, BlockId, u32)>,
    /// The objects of a C program.
    objects: Option<Objects>,
    /// The cells whose final values are looked at.
    pub looked_at: Vec<CellId>,
}

impl<'p> World<'p> {
    /// The world of a litmus test.
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
            objects: None,
            looked_at: Vec::new(),
        }
    }

    /// The world of a C program.
    pub fn of_objects(program: &'p Program, objects: Objects) -> Self {
        Self { objects: Some(objects), ..Self::new(program) }
    }

    /// Whether this is the world of a C program.
    pub fn has_objects(&self) -> bool {
        self.objects.is_some()
    }

    /// The objects of a C program.
    pub fn objects(&self) -> &Objects {
        self.objects.as_ref().expect("the world of a C program")
    }

    /// The objects of a C program.
    pub fn objects_mut(&mut self) -> &mut Objects {
        self.objects.as_mut().expect("the world of a C program")
    }

    /// The cell of an access to an object of a C program.
    pub fn object_cell(
        &mut self,
        region: RegionId,
        offset: u64,
        width: Width,
        place: Option<LocId>,
    ) -> CellId {
        let cell = self.part_cell(region, offset, width, place);
        self.cells[cell.index()].part = false;
        cell
    }

    /// The cell of a part of an access to an object of a C program.
    pub fn part_cell(
        &mut self,
        region: RegionId,
        offset: u64,
        width: Width,
        place: Option<LocId>,
    ) -> CellId {
        let bytes = width.bytes();
        if let Some(&cell) = self.by_place.get(&(region, offset, bytes)) {
            return cell;
        }
        let object = self.objects().get(region);
        let initial = match object.life {
            Life::Freed => freed(),
            Life::Alive | Life::Over => object.contents.read(offset as usize, width),
        };
        let mut name = self.objects().place_name(self.program, region, offset);
        if self.cells.iter().any(|cell| *cell.name == *name) {
            name = format!("{name}+{offset}:{bytes}");
        }
        let initial = self.value(initial);
        let cell = CellId::new(self.cells.len());
        let (name, possible, part) = (name.into(), vec![initial], true);
        self.cells.push(Cell { region, offset, name, initial, bytes, possible, place, part });
        self.by_place.insert((region, offset, bytes), cell);
        cell
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
        let region = RegionId::new(global.index());
        if let Some(&cell) = self.by_place.get(&(region, offset, 0)) {
            return cell;
        }
        let initial = self.initial(global, offset);
        let initial = self.value(initial);
        let name = &self.program.globals[global].name;
        let name =
            if offset == 0 { name.as_str().into() } else { format!("{name}+{offset}").into() };
        let cell = CellId::new(self.cells.len());
        let possible = vec![initial];
        let (bytes, place, part) = (0, None, false);
        self.cells.push(Cell { region, offset, name, initial, bytes, possible, place, part });
        self.by_place.insert((region, offset, 0), cell);
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

    /// Looks again at what the cells of a C program are called and start with: objects may have
    /// been made since.
    pub fn refresh(&mut self) {
        for index in 0..self.cells.len() {
            let (region, offset) = (self.cells[index].region, self.cells[index].offset);
            let bytes = self.cells[index].bytes;
            let object = self.objects().get(region);
            let width = Width::from_bytes(bytes).unwrap_or(Width::I8);
            let initial = match object.life {
                Life::Freed => freed(),
                Life::Alive | Life::Over => object.contents.read(offset as usize, width),
            };
            let mut name = self.objects().place_name(self.program, region, offset);
            if self.cells[..index].iter().any(|cell| *cell.name == *name) {
                name = format!("{name}+{offset}:{bytes}");
            }
            self.cells[index].initial = self.value(initial);
            self.cells[index].name = name.into();
        }
    }

    /// Two cells that are accessed and overlap, if there are any.
    pub fn overlap(&self) -> Option<(&Cell, &Cell)> {
        self.cells.iter().filter(|cell| !cell.part).find_map(|a| {
            let inside = |b: &&Cell| {
                let starts = b.offset > a.offset || b.offset == a.offset && b.bytes < a.bytes;
                a.region == b.region && starts && b.offset < a.offset + a.bytes
            };
            self.cells.iter().filter(|cell| !cell.part).find(inside).map(|b| (a, b))
        })
    }

    /// Whether two cells of a C program have a byte in common.
    pub fn meet(&self, a: CellId, b: CellId) -> bool {
        let (a, b) = (&self.cells[a.index()], &self.cells[b.index()]);
        let before = |a: &Cell, b: &Cell| a.offset < b.offset + b.bytes;
        a.region == b.region && before(a, b) && before(b, a)
    }

    /// Interns a value; in litmus tests, widened to 64 bits.
    pub fn value(&mut self, value: Value) -> ValueId {
        let value = if value.width == Width::I64 || self.objects.is_some() {
            value
        } else if value.width < Width::I64 {
            value.cast(CastOp::ZeroExtend, Width::I64)
        } else {
            value.cast(CastOp::Truncate, Width::I64)
        };
        *self.value_ids.entry(value).or_insert_with(|| {
            self.values.push(value);
            ValueId::new(self.values.len() - 1)
        })
    }

    /// The id of a value, if it has been interned.
    pub fn find(&self, value: Value) -> Option<ValueId> {
        self.value_ids.get(&value).copied()
    }

    /// The cell at an offset into a global, if it is accessed.
    pub fn find_cell(&self, global: GlobalId, offset: u64) -> Option<CellId> {
        self.by_place.get(&(RegionId::new(global.index()), offset, 0)).copied()
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
        is_symbolic(self.value_of(id))
    }

    /// How a value is printed: an address by its name.
    pub fn describe(&self, id: ValueId) -> String {
        self.describe_value(self.value_of(id))
    }

    /// The same for a value that need not be interned.
    pub fn describe_value(&self, value: Value) -> String {
        if value == freed() {
            return "freed".to_string();
        }
        if let Some(objects) = &self.objects {
            return objects.describe(self.program, value);
        }
        match value.provenance.filter(|_| value.low() != 0) {
            Some(region) => {
                let global = GlobalId::new(region.index());
                let name = self.program.globals.get(global).map_or("?", |g| g.name.as_str());
                let offset = value.low().wrapping_sub(World::address(global).low()) as i64;
                if offset == 0 { name.to_string() } else { format!("{name}{offset:+}") }
            }
            None if is_symbolic(value) => "S".to_string(),
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
