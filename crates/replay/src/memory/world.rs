//! What all threads of one program share while they are enumerated: memory cells, interned
//! values and set names, and the values that each cell may hold.
//!
//! Memory is a set of cells, one per (object, byte offset, width) that is accessed; where these
//! overlap, executions are put together from parts of them (see [`crate::memory::parts`]), each a cell as
//! well. In litmus tests, objects are globals.

use crate::memory::objects::{Life, Objects};
use execution::ids::Id;
use execution::witness::Bits;
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
pub struct MemoryCell {
    /// The object it is in; in litmus tests, objects are globals.
    pub region: RegionId,
    /// Its offset in bytes.
    pub offset: u64,
    /// How it is printed.
    pub name: Arc<str>,
    /// What it starts with.
    pub initial: ValueId,
    /// Its size in bytes.
    pub bytes: u64,
    /// The values it may hold, as far as is known.
    pub possible: Vec<ValueId>,
    /// An instruction that accesses it.
    pub place: Option<LocId>,
    /// Whether it is only a part of what is accessed (see [`crate::memory::parts`]).
    pub part: bool,
}

impl MemoryCell {
    /// Whether it has one of these bytes.
    pub fn meets(&self, region: RegionId, offset: u64, bytes: u64) -> bool {
        let overlaps = self.offset < offset + bytes && offset < self.offset + self.bytes;
        self.region == region && overlaps
    }
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

/// The distance between the bases of globals.
const SPACING: u64 = 1 << 24;

/// Cells, values and set names.
#[derive(Clone, Debug)]
pub struct World<'p> {
    /// The program.
    pub program: &'p Program,
    /// The cells.
    pub cells: Vec<MemoryCell>,
    by_place: HashMap<(RegionId, u64, u64), CellId>,
    values: Vec<Value>,
    value_ids: HashMap<Value, ValueId>,
    sets: Vec<Arc<str>>,
    set_ids: HashMap<Arc<str>, SetId>,
    /// The instructions that have written to memory in some execution of a thread.
    pub writers: HashSet<(FuncId, BlockId, u32)>,
    /// The objects of a C program.
    objects: Option<Objects>,
    /// The cells whose final values are observed.
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

    /// The cell of an access to an object.
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

    /// The cell of a part of an access to an object.
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
        let (initial, mut name) = match &self.objects {
            Some(objects) => {
                let object = objects.get(region);
                let initial = match object.life {
                    Life::Freed => freed(),
                    Life::Alive | Life::Over => object.contents.read(offset as usize, width),
                };
                (initial, objects.place_name(self.program, region, offset))
            }
            None => {
                let global = GlobalId::new(region.index());
                (self.initial(global, offset, bytes), self.place_name(global, offset))
            }
        };
        if self.cells.iter().any(|cell| *cell.name == *name) {
            name = format!("{name}+{offset}:{bytes}");
        }
        let initial = self.value(initial);
        let cell = CellId::new(self.cells.len());
        let (name, possible, part) = (name.into(), vec![initial], true);
        self.cells.push(MemoryCell { region, offset, name, initial, bytes, possible, place, part });
        self.by_place.insert((region, offset, bytes), cell);
        cell
    }

    /// The address of a global.
    pub fn address(global: GlobalId) -> Value {
        Value::pointer(RegionId::new(global.index()), (global.index() as u64 + 1) * SPACING)
    }

    /// The global and the offset into it that an address of a litmus test may access.
    pub fn target(&self, address: Value) -> Option<(GlobalId, u64)> {
        let global = GlobalId::new(address.provenance?.index());
        let offset = address.low().wrapping_sub(World::address(global).low());
        let size = self.program.globals.get(global)?.size;
        (address.is_defined() && offset < size).then_some((global, offset))
    }

    /// How a place of a litmus test is printed.
    fn place_name(&self, global: GlobalId, offset: u64) -> String {
        let name = &self.program.globals[global].name;
        if offset == 0 { name.clone() } else { format!("{name}+{offset}") }
    }

    /// What some bytes of a global hold at first, in a litmus test: an address, or a number.
    pub fn initial(&self, global: GlobalId, offset: u64, bytes: u64) -> Value {
        let mut word = [0; 8];
        for part in &self.program.globals[global].init {
            match &part.data {
                InitData::Bytes(known) => {
                    for (at, byte) in (offset..offset + bytes).zip(&mut word) {
                        let inside = at.checked_sub(part.offset).map(|at| at as usize);
                        *byte = inside.and_then(|at| known.get(at)).copied().unwrap_or(*byte);
                    }
                }
                InitData::Global(target, shift) if part.offset == offset => {
                    return World::address(*target).offset(*shift);
                }
                InitData::Global(..) | InitData::Function(_) => {}
            }
        }
        Value::int(Width::I64, u64::from_le_bytes(word).into())
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
    pub fn overlap(&self) -> Option<(&MemoryCell, &MemoryCell)> {
        self.cells.iter().filter(|cell| !cell.part).find_map(|a| {
            let inside = |b: &&MemoryCell| {
                let starts = b.offset > a.offset || b.offset == a.offset && b.bytes < a.bytes;
                a.region == b.region && starts && b.offset < a.offset + a.bytes
            };
            self.cells.iter().filter(|cell| !cell.part).find(inside).map(|b| (a, b))
        })
    }

    /// Whether two cells have a byte in common.
    pub fn meet(&self, a: CellId, b: CellId) -> bool {
        let (a, b) = (&self.cells[a.index()], &self.cells[b.index()]);
        a.meets(b.region, b.offset, b.bytes)
    }

    /// Whether another cell that is accessed has bytes in common with one of a C program.
    pub fn overlaps(&self, cell: CellId) -> bool {
        let others = (0..self.cells.len()).map(CellId::new).filter(|&other| other != cell);
        others.filter(|other| !self.cells[other.index()].part).any(|other| self.meet(other, cell))
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

/// A value as a witness writes it.
pub fn bits(world: &World<'_>, value: Value) -> Bits {
    if value == freed() {
        return Bits::FREED;
    }
    let base = |region: Option<RegionId>| region.map(|region| world.objects().get(region).base);
    Bits {
        bits: value.bits,
        undef: value.undef,
        object: base(value.provenance),
        high: base(value.high),
    }
}
