//! A whole program: what is reachable is emitted, in the order in which it is found.

use super::{function::Lower, refused};
use crate::library::PREFIX;
use crate::sema::tree::{FunctionId, Object, ObjectId, StaticData, StaticInit, Unit};
use crate::sema::types::{RecordId, Type};
use execution::diagnostic::Diagnostic;
use execution::span::{SourceFile, SourceMap, Span};
use ir::build::{FunctionBuilder, ProgramBuilder};
use ir::cfg::Irreducible;
use ir::layout::LayoutId;
use ir::op::{Claim, Op, Operand, Terminator};
use ir::prepare;
use ir::program::{
    FuncId, Function, Global, GlobalId, Init, InitData, LocId, Program, SourcePlace, Storage, Width,
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Lowers a checked unit; `natives` are functions of shared libraries, as `LIBRARY:SYMBOL`.
pub fn lower(
    unit: &Unit,
    sources: &SourceMap,
    natives: &[String],
) -> Result<Program, Vec<Diagnostic>> {
    let mut lowering = Lowering {
        unit,
        sources,
        natives,
        called: HashMap::new(),
        reading: HashMap::new(),
        builder: ProgramBuilder::new(),
        functions: HashMap::new(),
        globals: HashMap::new(),
        pending_functions: Vec::new(),
        pending_objects: Vec::new(),
        records: HashMap::new(),
        names: HashSet::new(),
        spans: HashMap::new(),
        refused: HashMap::new(),
        errors: Vec::new(),
    };
    lowering.roots();
    lowering.emit_pending();
    lowering.define_missing();
    let Lowering { builder, errors, refused, .. } = lowering;
    let program = builder.finish();
    let errors = errors.into_iter().chain(refused::certain(&program, &refused));
    let errors: Vec<Diagnostic> = errors.collect();
    if errors.is_empty() { Ok(refused::cut(program, &refused)) } else { Err(errors) }
}

/// The state of lowering a program.
pub struct Lowering<'u> {
    /// The checked unit.
    pub unit: &'u Unit,
    /// The source text.
    pub sources: &'u SourceMap,
    natives: &'u [String],
    /// Where each function is called first.
    pub called: HashMap<FunctionId, Span>,
    /// The native functions that read bytes through their arguments: how many, for each.
    pub reading: HashMap<(FunctionId, Vec<Option<u32>>), FuncId>,
    /// The program in the making.
    pub builder: ProgramBuilder,
    functions: HashMap<FunctionId, FuncId>,
    globals: HashMap<ObjectId, GlobalId>,
    pending_functions: Vec<FunctionId>,
    pending_objects: Vec<ObjectId>,
    /// The layouts of structs and unions.
    pub records: HashMap<RecordId, LayoutId>,
    names: HashSet<String>,
    /// The source span that a place was first made for.
    spans: HashMap<LocId, Span>,
    /// What is not supported, at the places of the claims that stand for it.
    pub refused: HashMap<LocId, Diagnostic>,
    /// What cannot be lowered.
    pub errors: Vec<Diagnostic>,
}

impl<'u> Lowering<'u> {
    /// `main`, and the functions that other files could call.
    fn roots(&mut self) {
        let unit = self.unit;
        let defined = || unit.functions.enumerate().filter(|(_, function)| function.body.is_some());
        if let Some((id, _)) = defined().find(|(_, function)| &*function.name == "main") {
            let id = self.function(id);
            self.builder.entry(id);
        }
        for (id, function) in defined() {
            let embedded = self.sources.is_library(function.span);
            if !function.internal && !embedded {
                self.function(id);
            }
        }
        self.define_before_main();
    }

    fn emit_pending(&mut self) {
        let mut next = (0, 0);
        while next.0 < self.pending_functions.len() || next.1 < self.pending_objects.len() {
            while let Some(&id) = self.pending_functions.get(next.0) {
                next.0 += 1;
                self.emit_function(id);
            }
            while let Some(&id) = self.pending_objects.get(next.1) {
                next.1 += 1;
                let init = self.initial_contents(id);
                let global = self.globals[&id];
                self.builder.global_mut(global).init = init;
            }
        }
    }

    /// The function's id in the program.
    pub fn function(&mut self, id: FunctionId) -> FuncId {
        if let Some(known) = self.functions.get(&id) {
            return *known;
        }
        let function = &self.unit.functions[id];
        // Functions of two files may have one name.
        let is_other = |known: &FunctionId| self.unit.functions[*known].name == function.name;
        let name = match self.functions.keys().any(is_other) {
            true => self.unique_name(&function.name),
            false => function.name.to_string(),
        };
        let known = self.builder.declare(&name);
        self.names.insert(name);
        self.functions.insert(id, known);
        self.pending_functions.push(id);
        known
    }

    /// What is wrong with calling a function, if it has no definition.
    pub fn missing_function(&self, id: FunctionId, used: Span) -> Option<Diagnostic> {
        let function = &self.unit.functions[id];
        let header = self.sources.file(function.span.file);
        let is_defined = function.body.is_some() || function.defined;
        let is_missing = !is_defined && self.native(id).is_none();
        is_missing.then(|| missing(function, header, used))
    }

    /// The function of a shared library that stands for one without a definition.
    pub(super) fn native(&self, id: FunctionId) -> Option<&'u str> {
        let function = &self.unit.functions[id];
        // The program's own declaration may stand for one of ours.
        let name = function.name.strip_prefix(PREFIX).unwrap_or(&function.name);
        let is_it =
            |native: &&'u String| native.rsplit_once(':').is_some_and(|(_, symbol)| symbol == name);
        let is_defined = function.body.is_some() || function.defined;
        self.natives.iter().filter(|_| !is_defined).find(is_it).map(String::as_str)
    }

    /// What is wrong with using an object, if it has no definition.
    pub fn missing_object(&self, id: ObjectId, used: Span) -> Option<Diagnostic> {
        let object = &self.unit.objects[id];
        let message = format!("there is no definition of `{}`", object.name);
        let error = || Diagnostic::error(used, message);
        (!object.defined).then(|| error().also(object.span, "it is only declared, here"))
    }

    /// Gives functions without a definition a body: one that calls a shared library, or one in which
    /// it is a finding that there is none.
    fn define_missing(&mut self) {
        for &id in &self.pending_functions.clone() {
            let function = &self.unit.functions[id];
            if let Some(native) = self.native(id) {
                match self.native_stub(id, native, &[], self.called.get(&id).copied()) {
                    Ok(stub) => self.builder.define(self.functions[&id], stub),
                    Err(error) => self.errors.push(error),
                }
            } else if let Some(why) = self.missing_function(id, function.span) {
                let stub = self.stub(id, &why);
                self.builder.define(self.functions[&id], stub);
            }
        }
    }

    fn stub(&mut self, id: FunctionId, why: &Diagnostic) -> Function {
        let function = &self.unit.functions[id];
        let place = self.place(function.span, &function.name);
        let scalar = |ty: &Type| ty.is_scalar().then(|| self.width(ty));
        let mut out =
            FunctionBuilder::new(&function.name, scalar(&function.ty.result.ty), Some(place));
        if function.ty.result.ty.is_record() {
            out.param(Width::PTR, None);
        }
        for param in &function.ty.params {
            out.param(scalar(&param.ty).unwrap_or(Width::PTR), None);
        }
        let (cond, message) = (Operand::int(Width::BOOL, 0), why.message.clone());
        out.emit(Op::Assert { cond, claim: Claim::Supported, message }, Some(place));
        out.terminate(Terminator::Trap(why.message.clone()), Some(place));
        out.finish()
    }

    fn emit_function(&mut self, id: FunctionId) {
        let function = &self.unit.functions[id];
        let Some(body) = &function.body else { return };
        let before = self.errors.len();
        let lowered = Lower::function(self, function, body);
        if self.errors.len() > before {
            return;
        }
        match prepare::lowered(lowered) {
            Ok(lowered) => self.builder.define(self.functions[&id], lowered),
            Err(irreducible) => self.refuse(&irreducible, function.span),
        }
    }

    /// Refuses a cycle of control flow that is not a loop.
    fn refuse(&mut self, irreducible: &Irreducible, span: Span) {
        let at = |place: Option<LocId>| place.and_then(|place| self.spans.get(&place)).copied();
        let blame = irreducible.entries.iter().find_map(|(_, place)| at(*place));
        let mut error = Diagnostic::error(
            blame.unwrap_or(span),
            "this jump enters a loop that can also be entered elsewhere",
        );
        if let Some(back) = at(irreducible.place) {
            error = error.also(back, "the loop is closed here");
        }
        self.errors.push(error.note("a loop must have one entry; jump to its head instead"));
    }

    /// The object's id in the program; `used` is where it is needed.
    pub fn global(&mut self, id: ObjectId, used: Span) -> GlobalId {
        if let Some(known) = self.globals.get(&id) {
            return *known;
        }
        let object = &self.unit.objects[id];
        self.errors.extend(self.missing_object(id, used));
        let place = self.place(object.span, "");
        let layout = self.layout(&object.ty.ty);
        let global = self.new_global(object, layout, place);
        let known = self.builder.global(global);
        self.globals.insert(id, known);
        self.pending_objects.push(id);
        known
    }

    fn new_global(&mut self, object: &Object, layout: LayoutId, place: LocId) -> Global {
        let size = self.unit.types.size_of(&object.ty.ty).unwrap_or(0);
        // A flexible array member may be given elements by the initialiser.
        let end =
            object.init.iter().flatten().map(|init| init.offset + data_size(&init.data)).max();
        let storage = match () {
            () if object.thread_local => Storage::ThreadLocal,
            () if object.is_string || (object.ty.is_const() && !object.ty.quals.is_volatile) => {
                Storage::Constant
            }
            () => Storage::Static,
        };
        let name = match (&*object.name, object.is_string) {
            ("", true) => ".str",
            ("", false) => "literal",
            (name, _) => name,
        };
        Global {
            name: self.unique_name(name),
            size: size.max(end.unwrap_or(0)),
            align: self.unit.types.align_of(&object.ty).max(object.align.unwrap_or(1)),
            storage,
            init: Vec::new(),
            layout: Some(layout),
            place: Some(place),
        }
    }

    pub(super) fn unique_name(&mut self, name: &str) -> String {
        let mut unique = name.to_string();
        let mut number = 0;
        while !self.names.insert(unique.clone()) {
            number += 1;
            unique = format!("{name}.{number}");
        }
        unique
    }

    fn initial_contents(&mut self, id: ObjectId) -> Vec<Init> {
        let object = &self.unit.objects[id];
        let mut image = Image::default();
        for init in object.init.iter().flatten() {
            image.write(init);
        }
        let span = object.span;
        image
            .finish()
            .into_iter()
            .map(|(offset, data)| {
                let data = match data {
                    Data::Bytes(bytes) => InitData::Bytes(bytes),
                    Data::Object(object, by) => InitData::Global(self.global(object, span), by),
                    Data::Function(function) => InitData::Function(self.function(function)),
                };
                Init { offset, data }
            })
            .collect()
    }

    /// The place of a span inside a function.
    pub fn place(&mut self, span: Span, function: &str) -> LocId {
        let location = self.sources.location(span);
        let place = SourcePlace { location, function: function.to_string(), inlined_at: None };
        let id = self.builder.place(place);
        self.spans.entry(id).or_insert(span);
        id
    }

    /// The width of a scalar type.
    pub fn width(&self, ty: &Type) -> Width {
        let bits = match ty {
            Type::Pointer(_) => 64,
            Type::Float(kind) => return kind.width(),
            other => self.unit.types.integer(other).map_or(64, |(bits, _)| bits),
        };
        Width::from_bits(bits).unwrap_or(Width::I64)
    }
}

fn missing(function: &crate::sema::tree::Function, header: &SourceFile, used: Span) -> Diagnostic {
    let name = &function.name;
    if &*header.name == "<math.h>" {
        let text = format!("`{name}` is not supported");
        return Diagnostic::error(used, text)
            .note("Fencepost computes those functions of <math.h> whose results IEEE 754 fixes");
    }
    let why = crate::hints::missing_function(name);
    if header.is_library() {
        let text = format!("`{name}` is not supported");
        return Diagnostic::error(used, text).note(why.unwrap_or(crate::hints::NO_SYSTEM));
    }
    Diagnostic::error(used, format!("there is no definition of the function `{name}`"))
        .also(function.span, "it is only declared, here")
        .note(why.unwrap_or(
            "Fencepost checks whole programs: include or write the file that defines it",
        ))
}

fn data_size(data: &StaticData) -> u64 {
    match data {
        StaticData::Bytes(bytes) => bytes.len() as u64,
        StaticData::Bits { unit, .. } => *unit,
        StaticData::Object(..) | StaticData::Function(_) => 8,
    }
}

/// The bytes and addresses of a static object, as its parts are written one after the other.
/// Only the pages that were written are kept, so that a huge array with a few values costs little.
#[derive(Default)]
struct Image {
    pages: BTreeMap<u64, [u8; PAGE as usize]>,
    addresses: BTreeMap<u64, Data>,
}

const PAGE: u64 = 64;

enum Data {
    Bytes(Vec<u8>),
    Object(ObjectId, i64),
    Function(FunctionId),
}

impl Image {
    fn write(&mut self, init: &StaticInit) {
        let (start, size) = (init.offset, data_size(&init.data));
        let covered = start.saturating_sub(7)..start + size;
        let hidden: Vec<u64> = self.addresses.range(covered).map(|(offset, _)| *offset).collect();
        for offset in hidden {
            self.addresses.remove(&offset);
        }
        match &init.data {
            StaticData::Bytes(bytes) => {
                for (offset, byte) in (start..).zip(bytes) {
                    *self.byte(offset) = *byte;
                }
            }
            StaticData::Bits { mask, bits, .. } => {
                for index in 0..size {
                    let at = |value: &u128| (value >> (8 * index)) as u8;
                    let byte = self.byte(start + index);
                    *byte = (*byte & !at(mask)) | at(bits);
                }
            }
            StaticData::Object(id, by) => self.write_address(start, Data::Object(*id, *by)),
            StaticData::Function(id) => self.write_address(start, Data::Function(*id)),
        }
    }

    fn write_address(&mut self, start: u64, address: Data) {
        for offset in start..start + 8 {
            *self.byte(offset) = 0;
        }
        self.addresses.insert(start, address);
    }

    fn byte(&mut self, offset: u64) -> &mut u8 {
        let page = self.pages.entry(offset / PAGE).or_insert([0; PAGE as usize]);
        &mut page[(offset % PAGE) as usize]
    }

    /// The parts that are not zero, in order.
    fn finish(mut self) -> Vec<(u64, Data)> {
        let mut parts: Vec<(u64, Data)> = Vec::new();
        let mut run: Option<(u64, Vec<u8>)> = None;
        for (number, page) in std::mem::take(&mut self.pages) {
            for (offset, byte) in (number * PAGE..).zip(page).filter(|(_, byte)| *byte != 0) {
                let joined = run.as_mut().filter(|(start, bytes)| {
                    let end = start + bytes.len() as u64;
                    offset - end < 8 && !self.has_address(end, offset)
                });
                if let Some((start, bytes)) = joined {
                    bytes.resize((offset - *start) as usize, 0);
                    bytes.push(byte);
                } else {
                    parts.extend(run.replace((offset, vec![byte])).map(part));
                }
            }
        }
        parts.extend(run.map(part));
        parts.extend(self.addresses);
        parts.sort_by_key(|(offset, _)| *offset);
        parts
    }

    fn has_address(&self, from: u64, to: u64) -> bool {
        self.addresses.range(from..to).next().is_some()
    }
}

fn part((start, bytes): (u64, Vec<u8>)) -> (u64, Data) {
    (start, Data::Bytes(bytes))
}
