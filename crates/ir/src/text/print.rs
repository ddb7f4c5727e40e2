//! Prints programs: everything but instructions.

use super::names::{Handles, layout_names, quoted, quoted_bytes, sigiled, word};
use super::places;
use super::print_op::signed_number;
use crate::cfg::LoopForest;
use crate::layout::{LayoutId, LayoutKind};
use crate::locks::{LockView, Purpose};
use crate::program::{
    Block, BlockId, FuncId, Function, Global, GlobalId, InitData, LocId, Program, Reg, SourcePlace,
    Storage, Width,
};
use execution::ids::{Id, IdVec};
use std::collections::HashMap;
use std::fmt::Write;

/// The text of a program.
///
/// A program that breaks rule W1 (an id that refers to nothing) is printed as far as possible;
/// every other program parses back to itself.
pub fn print(program: &Program) -> String {
    let mut printer = Printer::new(program);
    printer.program();
    printer.out
}

/// A program on its way to text.
pub(super) struct Printer<'p> {
    pub program: &'p Program,
    pub out: String,
    layouts: IdVec<LayoutId, String>,
    /// The first place of each value; later ones of the same value go by number.
    first: HashMap<&'p SourcePlace, LocId>,
    file: Option<&'p str>,
}

/// The column at which places start, where what is before them is short enough.
const PLACE_COLUMN: usize = 60;
/// The column at which lists of registers are wrapped.
const WRAP_COLUMN: usize = 96;

/// What a place leaves unsaid in some context.
#[derive(Clone, Copy)]
pub(super) struct Defaults<'p> {
    file: Option<&'p str>,
    function: &'p str,
}

impl<'p> Printer<'p> {
    fn new(program: &'p Program) -> Self {
        let mut first = HashMap::new();
        for (id, place) in program.places.enumerate() {
            first.entry(place).or_insert(id);
        }
        let file = default_file(program);
        Self { program, out: String::new(), layouts: layout_names(program), first, file }
    }

    /// Writes pieces of text.
    pub fn put(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.out.write_fmt(text);
    }

    fn program(&mut self) {
        self.out.push_str("fpir 1\n");
        if let Some(file) = self.file {
            self.put(format_args!("file {}\n", quoted(file)));
        }
        if !self.program.entry.is_empty() {
            let names: Vec<String> =
                self.program.entry.iter().map(|&f| self.function_name(f)).collect();
            self.put(format_args!("entry {}\n", names.join(", ")));
        }
        if !places::in_text_order(self.program) {
            self.place_table();
        }
        if !self.program.layouts.is_empty() {
            self.out.push('\n');
        }
        for id in self.program.layouts.ids() {
            self.layout(id);
        }
        if !self.program.globals.is_empty() {
            self.out.push('\n');
        }
        for global in &self.program.globals {
            self.global(global);
        }
        for function in &self.program.functions {
            self.out.push('\n');
            self.function(function);
        }
    }

    fn place_table(&mut self) {
        self.out.push('\n');
        for (id, place) in self.program.places.enumerate() {
            let file = quoted(&place.location.file);
            let span = span(place);
            let function = word(&place.function);
            self.put(format_args!("place #{} = {file}:{span} in {function}", id.index()));
            if let Some(caller) = place.inlined_at {
                self.put(format_args!(" at #{}", caller.index()));
            }
            self.out.push('\n');
        }
    }

    fn layout(&mut self, id: LayoutId) {
        let layout = &self.program.layouts[id];
        self.put(format_args!("layout {} = ", self.layout_name(id)));
        let mut natural = None;
        match &layout.kind {
            LayoutKind::Int { signed } => {
                let letter = if *signed { 'i' } else { 'u' };
                self.put(format_args!("{letter}{}", u128::from(layout.size) * 8));
                natural = Some((layout.size, layout.size));
            }
            LayoutKind::Float => {
                self.put(format_args!("f{}", u128::from(layout.size) * 8));
                natural = Some((layout.size, layout.size));
            }
            LayoutKind::Pointer(target) => {
                self.out.push_str("ptr");
                if let Some(target) = target {
                    self.put(format_args!(" {}", self.layout_name(*target)));
                }
                natural = Some((8, 8));
            }
            LayoutKind::Array { element, count } => {
                self.put(format_args!("array {count} of {}", self.layout_name(*element)));
            }
            LayoutKind::Record { name, .. } => {
                self.put(format_args!("record {}", quoted(name)));
            }
            LayoutKind::Opaque => self.out.push_str("opaque"),
        }
        if natural.is_none_or(|(size, _)| size != layout.size) {
            self.put(format_args!(" size {}", layout.size));
        }
        if natural.is_none_or(|(_, align)| align != layout.align) {
            self.put(format_args!(" align {}", layout.align));
        }
        if let LayoutKind::Record { fields, .. } = &layout.kind {
            self.out.push_str(" {\n");
            for field in fields {
                let (name, layout) = (word(&field.name), self.layout_name(field.layout));
                self.put(format_args!("  {}: {name} {layout}", field.offset));
                if let Some((first, count)) = field.bits {
                    self.put(format_args!(" bits {first}+{count}"));
                }
                self.out.push_str(&purpose(field.purpose));
                self.out.push('\n');
            }
            self.out.push('}');
        }
        self.out.push('\n');
    }

    fn global(&mut self, global: &'p Global) {
        let start = self.out.len();
        let storage = match global.storage {
            Storage::Static => "global",
            Storage::ThreadLocal => "thread_local",
            Storage::Constant => "constant",
        };
        let name = sigiled('@', &global.name);
        self.put(format_args!("{storage} {name}: {} align {}", global.size, global.align));
        if let Some(layout) = global.layout {
            self.put(format_args!(" as {}", self.layout_name(layout)));
        }
        for (i, part) in global.init.iter().enumerate() {
            self.out.push_str(if i == 0 { " = {" } else { ", " });
            let data = self.init_data(&part.data);
            self.put(format_args!("{}: {data}", part.offset));
        }
        if !global.init.is_empty() {
            self.out.push('}');
        }
        self.place(start, global.place, Defaults { file: self.file, function: "" });
    }

    fn init_data(&self, data: &InitData) -> String {
        match data {
            InitData::Bytes(bytes) => init_bytes(bytes),
            InitData::Global(global, offset) => self.global_address(*global, *offset),
            InitData::Function(function) => format!("&{}", self.function_name(*function)),
        }
    }

    fn function(&mut self, function: &'p Function) {
        let handles = Handles::new(function);
        let file = most_common(self.program, places_of(function).collect::<Vec<_>>()).or(self.file);
        let defaults = Defaults { file, function: &function.name };
        self.put(format_args!("fn {}(", word(&function.name)));
        // Parameters that are the first registers are declared where they stand.
        let is_next = |&(i, reg): &(usize, &Reg)| reg.index() == i;
        let declared = function.params.iter().enumerate().take_while(is_next).count();
        let declared = declared.min(function.regs.len());
        for (i, &param) in function.params.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            self.put(format_args!("{comma}{}", handles.reg(param)));
            if i < declared {
                self.put(format_args!(": {}", function.regs[param].width));
            }
        }
        self.out.push(')');
        if let Some(width) = function.result {
            self.put(format_args!(" -> {width}"));
        }
        match function.lock_view {
            LockView::Exact => {}
            LockView::OwnHolderOnly => self.out.push_str(" own_holder_only"),
        }
        if let Some(name) = file.filter(|_| file != self.file) {
            self.put(format_args!(" file {}", quoted(name)));
        }
        self.bare_place(function.place, defaults);
        self.out.push_str(" {\n");
        self.registers(function, &handles, declared);
        for (id, slot) in function.slots.enumerate() {
            let start = self.out.len();
            let handle = handles.slot(id);
            self.put(format_args!("  slot {handle}: {} align {}", slot.size, slot.align));
            if let Some(layout) = slot.layout {
                self.put(format_args!(" as {}", self.layout_name(layout)));
            }
            self.place(start, slot.place, defaults);
        }
        self.blocks(function, &handles, defaults);
        self.out.push_str("}\n");
    }

    fn registers(&mut self, function: &Function, handles: &Handles, declared: usize) {
        let mut line_start = None;
        for (id, reg) in function.regs.enumerate().skip(declared) {
            let item = format!("{}: {}", handles.reg(id), reg.width);
            match line_start {
                Some(start) if self.out.len() - start + item.len() <= WRAP_COLUMN => {
                    self.put(format_args!(", {item}"));
                }
                previous => {
                    if previous.is_some() {
                        self.out.push('\n');
                    }
                    line_start = Some(self.out.len());
                    self.put(format_args!("  reg {item}"));
                }
            }
        }
        if line_start.is_some() {
            self.out.push('\n');
        }
    }

    fn blocks(&mut self, function: &'p Function, handles: &Handles, defaults: Defaults<'p>) {
        let targets = function.blocks.iter().flat_map(|block| block.terminator.successors());
        let sound = targets.into_iter().all(|target| function.blocks.get(target).is_some());
        let loops = if sound { LoopForest::new(function).ok() } else { None };
        for (id, block) in function.blocks.enumerate() {
            self.put(format_args!("{id}:{}\n", loop_comment(loops.as_ref(), id)));
            for inst in &block.insts {
                let start = self.out.len();
                self.out.push_str("  ");
                self.op(&inst.op, function, handles);
                self.place(start, inst.place, defaults);
            }
            let start = self.out.len();
            self.out.push_str("  ");
            self.terminator(&block.terminator, function, handles);
            self.place(start, block.place, defaults);
        }
    }

    /// Ends a line that began at `start` with a place.
    fn place(&mut self, start: usize, place: Option<LocId>, defaults: Defaults<'p>) {
        if place.is_some() {
            let width = self.out[start..].chars().count();
            for _ in width..PLACE_COLUMN - 1 {
                self.out.push(' ');
            }
        }
        self.bare_place(place, defaults);
        self.out.push('\n');
    }

    fn bare_place(&mut self, place: Option<LocId>, defaults: Defaults<'p>) {
        let Some(id) = place else { return };
        self.out.push_str(" !");
        let chain = places::chain(self.program, id).unwrap_or_default();
        let known = |id: &LocId| self.first.get(&self.program.places[*id]) == Some(id);
        if chain.is_empty() || !chain.iter().all(known) {
            return self.put(format_args!("#{}", id.index()));
        }
        for (i, id) in chain.into_iter().rev().enumerate() {
            let place = &self.program.places[id];
            if i > 0 {
                self.out.push_str(" at ");
            }
            if Some(&*place.location.file) != defaults.file {
                self.put(format_args!("{}:", quoted(&place.location.file)));
            }
            self.out.push_str(&span(place));
            if place.function != defaults.function {
                self.put(format_args!(" in {}", word(&place.function)));
            }
        }
    }

    /// The name of a function.
    pub fn function_name(&self, id: FuncId) -> String {
        match self.program.functions.get(id) {
            Some(function) => word(&function.name),
            None => format!("?{}", id.index()),
        }
    }

    /// The name of a layout.
    pub fn layout_name(&self, id: LayoutId) -> String {
        self.layouts.get(id).cloned().unwrap_or_else(|| format!("?{}", id.index()))
    }

    /// A global plus an offset.
    pub fn global_address(&self, id: GlobalId, offset: i64) -> String {
        let name = match self.program.globals.get(id) {
            Some(global) => sigiled('@', &global.name),
            None => format!("@?{}", id.index()),
        };
        with_offset(name, offset)
    }
}

/// What an access or a member is for, if it is not for data.
pub(super) fn purpose(purpose: Purpose) -> String {
    match purpose {
        Purpose::Data => String::new(),
        Purpose::LockWord(word) => format!(" lock_word({})", word.name()),
    }
}

/// An address plus an offset.
pub(super) fn with_offset(base: String, offset: i64) -> String {
    match offset {
        0 => base,
        1.. => format!("{base} + {offset}"),
        _ => format!("{base} - {}", offset.unsigned_abs()),
    }
}

/// All places of a function's instructions.
fn places_of(function: &Function) -> impl Iterator<Item = LocId> + '_ {
    let of_block = |block: &'_ Block| {
        block.insts.iter().map(|inst| inst.place).chain([block.place]).flatten().collect::<Vec<_>>()
    };
    function.place.into_iter().chain(function.blocks.iter().flat_map(of_block))
}

/// The file that most functions and globals are defined in, embedded headers aside.
fn default_file(program: &Program) -> Option<&str> {
    let functions = program.functions.iter().map(|function| function.place);
    let defined: Vec<LocId> =
        functions.chain(program.globals.iter().map(|global| global.place)).flatten().collect();
    let own =
        |id: &LocId| program.places.get(*id).is_some_and(|place| !place.location.is_library());
    most_common(program, defined.iter().copied().filter(own))
        .or_else(|| most_common(program, defined))
        .or_else(|| most_common(program, program.functions.iter().flat_map(places_of)))
}

/// The file that most of these places are in; of equally common ones, the first by name.
fn most_common(program: &Program, places: impl IntoIterator<Item = LocId>) -> Option<&str> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for place in places.into_iter().filter_map(|id| program.places.get(id)) {
        *counts.entry(&place.location.file).or_default() += 1;
    }
    counts.into_iter().max_by_key(|&(file, count)| (count, std::cmp::Reverse(file))).map(|(f, _)| f)
}

/// Line, column, and the end where it is not the next column.
fn span(place: &SourcePlace) -> String {
    let location = &place.location;
    if location.column.checked_add(1) == Some(location.end_column) {
        format!("{}:{}", location.line, location.column)
    } else {
        format!("{}:{}-{}", location.line, location.column, location.end_column)
    }
}

fn loop_comment(loops: Option<&LoopForest>, block: BlockId) -> String {
    let Some(loops) = loops else { return String::new() };
    match (loops.depth(block), loops.headed_by(block)) {
        (0, _) => String::new(),
        (depth, Some(_)) => format!("   ; loop header, depth {depth}"),
        (depth, None) => format!("   ; in loop, depth {depth}"),
    }
}

/// Initial bytes: a string where they look like one, a number where they have the size of one.
fn init_bytes(bytes: &[u8]) -> String {
    let is_text = |byte: u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    let text = match bytes {
        [text @ .., 0] if !text.is_empty() => text.iter().all(|&byte| is_text(byte)),
        _ => false,
    };
    match Width::from_bytes(bytes.len() as u64) {
        Some(width) if !text && bytes.len().is_power_of_two() => {
            let bits = bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u128::from(byte));
            format!("{width} {}", signed_number(width, bits))
        }
        _ => quoted_bytes(bytes),
    }
}
