//! The shared locations of a test, by name: their types, sizes and initial contents.
//!
//! A location that is only mentioned, never declared, is an `int` that starts as zero, as in
//! herd. Every scalar is given eight bytes so that it may hold an address; elements of arrays
//! have the size of their type in assembly, and eight bytes in C, where no test adds to an address
//! and a pointer to an element may be used like one to a scalar.

use crate::test::{Constant, Place, ValueType};
use ir::build::ProgramBuilder;
use ir::program::{Global, GlobalId, Init, InitData, Storage, Width};
use std::collections::BTreeMap;

/// The type of a location as far as it matters here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocationType {
    /// The type of a value (of an element, for an array).
    pub value: ValueType,
    /// The number of elements of an array.
    pub count: Option<u64>,
    /// Whether accesses to it that name no order are atomic (C's `atomic_int`).
    pub atomic: bool,
}

impl LocationType {
    /// `int`.
    pub const INT: LocationType =
        LocationType { value: ValueType::INT, count: None, atomic: false };
}

/// The locations of a test.
#[derive(Debug, Default)]
pub struct Locations {
    /// Whether elements of arrays are as wide as scalars.
    wide: bool,
    by_name: BTreeMap<String, GlobalId>,
    types: BTreeMap<GlobalId, LocationType>,
}

impl Locations {
    /// No locations yet, of a C test or another one.
    pub fn new(c: bool) -> Self {
        Locations { wide: c, ..Locations::default() }
    }

    /// The distance from one element of a location to the next.
    pub fn stride(&self, global: GlobalId) -> u64 {
        self.stride_of(self.type_of(global))
    }

    fn stride_of(&self, ty: LocationType) -> u64 {
        if ty.count.is_some() && !self.wide { ty.value.width.bytes() } else { 8 }
    }

    /// The location of this name, made as an `int` where there is none yet.
    pub fn named(&mut self, program: &mut ProgramBuilder, name: &str) -> GlobalId {
        match self.by_name.get(name) {
            Some(&global) => global,
            None => self.declare(program, name, LocationType::INT),
        }
    }

    /// The type of a location.
    pub fn type_of(&self, global: GlobalId) -> LocationType {
        self.types.get(&global).copied().unwrap_or(LocationType::INT)
    }

    /// Makes a location of a type, or gives one that was only mentioned its type.
    pub fn declare(
        &mut self,
        program: &mut ProgramBuilder,
        name: &str,
        ty: LocationType,
    ) -> GlobalId {
        let size = (self.stride_of(ty) * ty.count.unwrap_or(1)).max(8);
        let global = match self.by_name.get(name) {
            Some(&global) => {
                program.global_mut(global).size = size;
                global
            }
            None => program.global(Global {
                name: name.to_string(),
                size,
                align: 8,
                storage: Storage::Static,
                init: Vec::new(),
                layout: None,
                place: None,
            }),
        };
        self.by_name.insert(name.to_string(), global);
        self.types.insert(global, ty);
        global
    }

    /// Sets the initial value of an element (of the whole, for a scalar).
    pub fn set_initial(
        &self,
        program: &mut ProgramBuilder,
        global: GlobalId,
        index: u64,
        value: &Constant,
    ) {
        let stride = self.stride(global);
        let offset = index * stride;
        let data = match value {
            Constant::Int(number) => {
                let bytes = number.to_le_bytes();
                InitData::Bytes(bytes[..stride as usize].to_vec())
            }
            Constant::Address { global, offset, .. } => InitData::Global(*global, *offset as i64),
        };
        let init = &mut program.global_mut(global).init;
        init.retain(|part| !(offset..offset + stride).contains(&part.offset));
        init.push(Init { offset, data });
        init.sort_by_key(|part| part.offset);
    }

    /// Sets the initial value of a part of a location (`x+4`); false if it holds an address.
    pub fn set_part(&self, program: &mut ProgramBuilder, place: &Place, number: i128) -> bool {
        let Place::Cell { global, offset, ty, .. } = place else { return false };
        let bytes = &number.to_le_bytes()[..ty.width.bytes() as usize];
        let init = &mut program.global_mut(*global).init;
        let size = |data: &InitData| match data {
            InitData::Bytes(bytes) => bytes.len() as u64,
            InitData::Global(..) | InitData::Function(_) => 8,
        };
        let around =
            |part: &&mut Init| (part.offset..part.offset + size(&part.data)).contains(offset);
        match init.iter_mut().find(around) {
            None => init.push(Init { offset: *offset, data: InitData::Bytes(bytes.to_vec()) }),
            Some(Init { offset: start, data: InitData::Bytes(known) }) => {
                let from = (offset - *start) as usize;
                known.resize(known.len().max(from + bytes.len()), 0);
                known[from..from + bytes.len()].copy_from_slice(bytes);
            }
            Some(_) => return false,
        }
        init.sort_by_key(|part| part.offset);
        true
    }

    /// The part of a location that starts at an offset in bytes: as wide as its alignment there
    /// allows, but no wider than the location's type. `None` if it is outside of the location.
    pub fn part(&self, name: &str, global: GlobalId, offset: u64) -> Option<Place> {
        let ty = self.type_of(global);
        let element = ty.value.width.bytes();
        let size = self.stride(global) * ty.count.unwrap_or(1);
        let inside = offset < size && offset % self.stride(global) < element;
        let bytes = match offset {
            0 => element,
            _ => element.min(1 << offset.trailing_zeros().min(3)),
        };
        let value = ValueType { width: Width::from_bytes(bytes)?, ..ty.value };
        let place = Place::Cell { global, name: name.to_string(), offset, index: None, ty: value };
        inside.then_some(place)
    }

    /// The cell at an index of a location.
    pub fn cell(&self, name: &str, global: GlobalId, index: Option<u64>) -> Place {
        let ty = self.type_of(global);
        let offset = index.unwrap_or(0) * self.stride(global);
        Place::Cell { global, name: name.to_string(), offset, index, ty: ty.value }
    }
}

/// The value type and atomicity of a type by its words (`unsigned long`, `atomic_t`), pointers
/// aside. Unknown names, structs among them, count as `int`: their members are ignored.
pub fn type_of_words(words: &[&str]) -> (ValueType, bool) {
    let mut ty = ValueType::INT;
    let mut atomic = false;
    for word in words {
        match *word {
            "unsigned" => ty.signed = false,
            "char" | "int8_t" | "s8" => ty.width = Width::I8,
            "uint8_t" | "u8" | "bool" | "_Bool" => {
                ty = ValueType { width: Width::I8, signed: false };
            }
            "short" | "int16_t" | "s16" => ty.width = Width::I16,
            "uint16_t" | "u16" => ty = ValueType { width: Width::I16, signed: false },
            "uint32_t" | "u32" => ty = ValueType { width: Width::I32, signed: false },
            "long" | "int64_t" | "s64" | "intptr_t" | "ptrdiff_t" | "ssize_t" => {
                ty.width = Width::I64;
            }
            "uint64_t" | "u64" | "uintptr_t" | "size_t" => {
                ty = ValueType { width: Width::I64, signed: false };
            }
            "atomic64_t" | "atomic_long_t" | "atomic_long" | "atomic_intptr_t" => {
                ty.width = Width::I64;
                atomic = true;
            }
            "atomic_uint" => {
                ty.signed = false;
                atomic = true;
            }
            "_Atomic" | "atomic_int" | "atomic_t" | "atomic_bool" => atomic = true,
            _ => {}
        }
    }
    (ty, atomic)
}
