//! Rules about layouts, places, globals and the list of initial threads.

use super::{Checker, Part};
use crate::layout::{Layout, LayoutId, LayoutKind};
use crate::program::{Global, InitData, LocId, Width};
use execution::ids::{Id, IdVec};
use std::collections::HashSet;

/// How far the search for cycles has come with an item.
#[derive(Clone, Copy, PartialEq)]
enum Visit {
    New,
    Open,
    Done,
}

impl Checker<'_> {
    /// Whether a place is in the text of the library.
    pub(super) fn is_library(&self, place: Option<LocId>) -> bool {
        let place = place.and_then(|place| self.program.places.get(place));
        place.is_some_and(|place| place.location.is_library())
    }

    pub(super) fn places(&mut self) {
        let places = &self.program.places;
        let mut visited: IdVec<LocId, Visit> = places.ids().map(|_| Visit::New).collect();
        for start in places.ids() {
            let mut path = Vec::new();
            let mut next = Some(start);
            while let Some(id) = next {
                match visited.get(id) {
                    None => {
                        let last = path.last().copied().unwrap_or(start);
                        self.place_exists(Some(id), Part::Place(last));
                        break;
                    }
                    Some(Visit::Done) => break,
                    Some(Visit::Open) => {
                        self.broken(9, Part::Place(id), "this place is inlined into itself");
                        break;
                    }
                    Some(Visit::New) => {
                        visited[id] = Visit::Open;
                        path.push(id);
                        next = places[id].inlined_at;
                    }
                }
            }
            for id in path {
                visited[id] = Visit::Done;
            }
        }
    }

    pub(super) fn layouts(&mut self) {
        let mut exist = true;
        for (id, layout) in self.program.layouts.enumerate() {
            let part = Part::Layout(id);
            if !layout.align.is_power_of_two() {
                let message = format!("the alignment {} is not a power of two", layout.align);
                self.broken(6, part, message);
            }
            if let LayoutKind::Pointer(target) = layout.kind {
                self.layout_exists(target, part);
            }
            let mut inner_exist = true;
            for inner in contents(layout) {
                inner_exist &= self.layout_exists(Some(inner), part);
            }
            if inner_exist {
                self.inside(part, layout);
            }
            exist &= inner_exist;
        }
        if exist {
            self.containment();
        }
    }

    /// Checks that what a layout contains lies inside it.
    fn inside(&mut self, part: Part, layout: &Layout) {
        let layouts = &self.program.layouts;
        match &layout.kind {
            LayoutKind::Array { element, count } => {
                let needed = u128::from(layouts[*element].size) * u128::from(*count);
                let fits = needed <= u128::from(layout.size);
                self.require(fits, 6, part, "the elements do not fit the array's size");
            }
            LayoutKind::Record { fields, .. } => {
                for field in fields {
                    let unit = layouts[field.layout].size;
                    let start = u128::from(field.offset) * 8;
                    let mut end = start + u128::from(unit) * 8;
                    if let Some((first, count)) = field.bits {
                        let last = u128::from(first) + u128::from(count);
                        if last > u128::from(unit) * 8 {
                            let name = &field.name;
                            let message = format!("`{name}` does not fit its storage unit");
                            self.broken(6, part, message);
                        }
                        end = start + last;
                    }
                    if end > u128::from(layout.size) * 8 {
                        let message = format!("member `{}` does not lie inside", field.name);
                        self.broken(6, part, message);
                    }
                }
            }
            LayoutKind::Int { .. }
            | LayoutKind::Float
            | LayoutKind::Pointer(_)
            | LayoutKind::Opaque => {}
        }
    }

    /// Checks that no layout contains itself, by a depth-first search without recursion.
    fn containment(&mut self) {
        let layouts = &self.program.layouts;
        let mut visited: IdVec<LayoutId, Visit> = layouts.ids().map(|_| Visit::New).collect();
        for start in layouts.ids() {
            if visited[start] != Visit::New {
                continue;
            }
            visited[start] = Visit::Open;
            let mut stack = vec![(start, contents(&layouts[start]))];
            while let Some((id, pending)) = stack.last_mut() {
                let id = *id;
                match pending.pop() {
                    None => {
                        visited[id] = Visit::Done;
                        stack.pop();
                    }
                    Some(inner) if visited[inner] == Visit::Open => {
                        self.broken(6, Part::Layout(inner), "this layout contains itself");
                    }
                    Some(inner) if visited[inner] == Visit::New => {
                        visited[inner] = Visit::Open;
                        stack.push((inner, contents(&layouts[inner])));
                    }
                    Some(_) => {}
                }
            }
        }
    }

    pub(super) fn globals(&mut self) {
        let mut names = HashSet::new();
        for (id, global) in self.program.globals.enumerate() {
            let part = Part::Global(id);
            if !names.insert(&global.name) {
                self.broken(3, part, format!("there are two globals called `{}`", global.name));
            }
            self.extent("this object", global.size, global.align, part);
            self.layout_exists(global.layout, part);
            self.place_exists(global.place, part);
            self.initial_parts(part, global);
        }
    }

    fn initial_parts(&mut self, part: Part, global: &Global) {
        let mut end = 0;
        for init in &global.init {
            let size = match &init.data {
                InitData::Bytes(bytes) => bytes.len() as u64,
                InitData::Global(target, _) => {
                    if self.program.globals.get(*target).is_none() {
                        self.broken(1, part, format!("there is no global {}", target.index()));
                    }
                    Width::PTR.bytes()
                }
                InitData::Function(target) => {
                    if self.program.functions.get(*target).is_none() {
                        self.broken(1, part, format!("there is no function {}", target.index()));
                    }
                    Width::PTR.bytes()
                }
            };
            let offset = init.offset;
            if offset < end {
                let message =
                    format!("the part at {offset} begins before the end of the one before");
                self.broken(7, part, message);
            }
            end = offset.saturating_add(size);
            if end > global.size {
                let message = format!("the part at {offset} ends after the object");
                self.broken(7, part, message);
            }
        }
    }

    pub(super) fn entry(&mut self) {
        for &id in &self.program.entry {
            let Some(function) = self.program.functions.get(id) else {
                self.broken(1, Part::Program, format!("there is no function {}", id.index()));
                continue;
            };
            let widths: Vec<Option<Width>> = function
                .params
                .iter()
                .map(|&reg| function.regs.get(reg).map(|info| info.width))
                .collect();
            let main = self.program.entry.len() == 1 && function.name == "main";
            let arguments = [Some(Width::I32), Some(Width::I64)];
            let holds = widths.is_empty() || main && widths == arguments;
            let message = "an initial thread takes no parameters (`main` alone: `i32` and `i64`)";
            self.require(holds, 8, Part::Function(id), message);
        }
    }
}

/// The layouts that lie inside a layout.
fn contents(layout: &Layout) -> Vec<LayoutId> {
    match &layout.kind {
        LayoutKind::Array { element, .. } => vec![*element],
        LayoutKind::Record { fields, .. } => fields.iter().map(|field| field.layout).collect(),
        LayoutKind::Int { .. }
        | LayoutKind::Float
        | LayoutKind::Pointer(_)
        | LayoutKind::Opaque => Vec::new(),
    }
}
