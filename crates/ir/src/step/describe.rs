//! From ids to what people read: places, call stacks and objects of a finding.

use super::frame::TraceEntry;
use super::sc::region::{Life, Region, RegionKind};
use super::sc::{ScMemory, Violation};
use crate::layout::{Field, Layout, LayoutId, LayoutKind};
use crate::program::{LocId, Program};
use execution::event::ThreadId;
use execution::finding::{Finding, Object, ObjectKind, StackEntry, ThreadName, UndefinedSource};

/// A call stack with names and source places; inlined calls are shown as calls.
pub fn stack(program: &Program, trace: &[TraceEntry]) -> Vec<StackEntry> {
    let mut stack = Vec::new();
    for entry in trace {
        let mut place = entry.place.map(|id| &program.places[id]);
        if place.is_none() {
            let function = program.functions[entry.function].name.clone();
            stack.push(StackEntry { function, location: None });
        }
        while let Some(source) = place {
            let location = Some(source.location.clone());
            stack.push(StackEntry { function: source.function.clone(), location });
            place = source.inlined_at.map(|id| &program.places[id]);
        }
    }
    stack
}

/// What is wrong, for people: a violation in a thread with this call stack. `name` gives the
/// names of threads.
pub fn finding(
    program: &Program,
    memory: &ScMemory,
    violation: Violation,
    thread: ThreadName,
    stack: Vec<StackEntry>,
    name: impl Fn(ThreadId) -> ThreadName,
) -> Finding {
    let place = violation.object.or(violation.origin.as_ref().map(|read| read.object));
    let object = place.map(|(id, offset)| object(program, memory.region(id), offset, name));
    let undefined_read = violation.origin.map(|read| UndefinedSource {
        stack: self::stack(program, &read.trace),
        access: read.access,
    });
    let Violation { kind, access, .. } = violation;
    Finding {
        kind,
        access,
        thread,
        stack,
        object,
        undefined_read,
        waiting: Vec::new(),
        others: Vec::new(),
    }
}

/// An object at an offset. `name` gives the names of threads.
pub fn object(
    program: &Program,
    region: &Region,
    offset: i64,
    name: impl Fn(ThreadId) -> ThreadName,
) -> Object {
    let declared = |place: Option<LocId>| declaration(program, place);
    let (kind, title, origin) = match region.kind {
        RegionKind::Global(id) => {
            let global = &program.globals[id];
            (ObjectKind::Global, global.name.clone(), declared(global.place))
        }
        RegionKind::Constant(id) => {
            let global = &program.globals[id];
            (ObjectKind::Constant, global.name.clone(), declared(global.place))
        }
        RegionKind::ThreadLocal(id, thread) => {
            let global = &program.globals[id];
            let kind = ObjectKind::ThreadLocal(name(thread));
            (kind, global.name.clone(), declared(global.place))
        }
        RegionKind::Stack(function, slot, _) => {
            let function = &program.functions[function];
            let slot = &function.slots[slot];
            let kind = ObjectKind::Local(function.name.clone());
            (kind, slot.name.clone(), declared(slot.place))
        }
        RegionKind::Heap(_) => {
            let trace = region.allocated.as_ref().map_or(&[][..], |origin| &origin.trace);
            (ObjectKind::Heap, String::new(), stack(program, trace))
        }
        RegionKind::Function(id) => {
            let function = &program.functions[id];
            (ObjectKind::Function, function.name.clone(), declared(function.place))
        }
        RegionKind::Argument => (ObjectKind::Argument, String::new(), Vec::new()),
    };
    let freed = match &region.life {
        Life::Freed(origin) => Some((name(origin.thread), stack(program, &origin.trace))),
        _ => None,
    };
    let inside = u64::try_from(offset).ok().filter(|&offset| offset < region.size);
    let member = match (region.layout(program), inside) {
        (Some(layout), Some(offset)) => member_at(program, layout, offset),
        _ => String::new(),
    };
    Object { kind, name: title, size: region.size, offset, member, origin, freed }
}

fn declaration(program: &Program, place: Option<LocId>) -> Vec<StackEntry> {
    let entry = |id| {
        let place = &program.places[id];
        StackEntry { function: place.function.clone(), location: Some(place.location.clone()) }
    };
    place.map(entry).into_iter().collect()
}

/// The name of what is at an offset: `.next`, `[3].key`; empty at the top, or where the layout
/// does not say. For a union it is the first member that reaches there.
pub fn member_at(program: &Program, layout: LayoutId, offset: u64) -> String {
    inside(program, layout, offset).0
}

/// The name of the largest thing inside that starts at an offset: `[3]`, where [`member_at`] says
/// `[3].key`; that of a pointer's target.
pub fn target_at(program: &Program, layout: LayoutId, offset: u64) -> String {
    let starts = |name: &str, rest: u64| !name.is_empty() && rest == 0;
    walk_until(program, layout, offset, |_| false, starts).0
}

/// The name of the lock whose word is at an offset, as [`member_at`]: the record that the word is a
/// member of.
pub fn lock_at(program: &Program, layout: LayoutId, offset: u64) -> String {
    walk(program, layout, offset, |field| field.purpose.is_lock_word()).0
}

/// Whether all of a floating-point number of this many bytes is at an offset.
pub fn is_float_at(program: &Program, layout: LayoutId, offset: u64, bytes: u64) -> bool {
    let (_, found, rest) = inside(program, layout, offset);
    found.kind == LayoutKind::Float && rest == 0 && found.size == bytes
}

/// What is at an offset: its name, its layout, and what remains of the offset.
fn inside(program: &Program, layout: LayoutId, offset: u64) -> (String, &Layout, u64) {
    walk(program, layout, offset, |_| false)
}

/// The same, without the members that are `hidden` and what is in them.
fn walk(
    program: &Program,
    layout: LayoutId,
    offset: u64,
    hidden: impl Fn(&Field) -> bool,
) -> (String, &Layout, u64) {
    walk_until(program, layout, offset, hidden, |_, _| false)
}

/// The same, until a name and the rest of the offset are enough.
fn walk_until(
    program: &Program,
    layout: LayoutId,
    mut offset: u64,
    hidden: impl Fn(&Field) -> bool,
    enough: impl Fn(&str, u64) -> bool,
) -> (String, &Layout, u64) {
    let mut name = String::new();
    let mut layout = &program.layouts[layout];
    loop {
        if enough(&name, offset) {
            return (name, layout, offset);
        }
        match &layout.kind {
            LayoutKind::Array { element, .. } => {
                layout = &program.layouts[*element];
                if layout.size == 0 {
                    return (name, layout, offset);
                }
                name += &format!("[{}]", offset / layout.size);
                offset %= layout.size;
            }
            LayoutKind::Record { fields, .. } => {
                let reaches = |offset: u64, start: u64, layout: LayoutId| {
                    let inner = &program.layouts[layout];
                    // A flexible array member reaches to the end of its block.
                    let open = matches!(inner.kind, LayoutKind::Array { count: 0, .. });
                    offset >= start && (open || offset - start < inner.size)
                };
                let field = fields.iter().find(|f| reaches(offset, f.offset, f.layout));
                let Some(field) = field else { return (name, layout, offset) };
                if hidden(field) {
                    return (name, layout, offset);
                }
                if !field.name.is_empty() {
                    name += &format!(".{}", field.name);
                }
                offset -= field.offset;
                layout = &program.layouts[field.layout];
            }
            LayoutKind::Int { .. }
            | LayoutKind::Float
            | LayoutKind::Pointer(_)
            | LayoutKind::Opaque => return (name, layout, offset),
        }
    }
}
