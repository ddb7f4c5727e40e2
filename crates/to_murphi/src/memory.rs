//! Memory in a model: what words are called, the records that they are in, and the start.

use crate::facts::Facts;
use crate::names::{bare, identifier};
use crate::shape::{Numbers, Shape, shape};
use crate::value::{Abs, Home, Set, Word};
use crate::{Held, Object, Refused, Start};
use ir::layout::{LayoutId, LayoutKind};
use ir::op::Op;
use ir::program::{GlobalId, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The words that are variables of a model.
pub struct Memory {
    /// What each word is called: of a node, the field.
    pub names: BTreeMap<Word, String>,
    /// The shape of each, with its type.
    pub types: BTreeMap<Word, (Shape, String)>,
}

/// How the words of a program are called.
pub fn memory(program: &Program, facts: &Facts, numbers: &Numbers) -> Result<Memory, Refused> {
    let mut memory = Memory { names: BTreeMap::new(), types: BTreeMap::new() };
    let heap = heap_layouts(program);
    let mut taken = BTreeSet::new();
    for (&word, (set, place)) in &facts.words {
        if facts.is_fixed(word) {
            continue;
        }
        let parts = match word.home {
            Home::Heap => heap.iter().find_map(|layout| parts(program, *layout, word.offset)),
            Home::Global(global) => {
                let layout = program.globals[global].layout;
                layout.and_then(|layout| parts(program, layout, word.offset))
            }
        };
        let parts: Vec<String> =
            parts.unwrap_or_default().into_iter().filter(|part| !part.is_empty()).collect();
        let field = identifier(&match parts.is_empty() {
            true => format!("at_{}", word.offset),
            false => parts.join("_"),
        });
        let name = match word.home {
            Home::Heap => field,
            Home::Global(global) => {
                let owner = identifier(&program.globals[global].name);
                match parts.is_empty() {
                    true if word.offset == 0 => owner,
                    _ => format!("{owner}.{field}"),
                }
            }
        };
        let name = unique(&taken, name);
        taken.insert((word.home, name.clone()));
        memory.names.insert(word, name);
        let own = shape(set, word.width).map_err(|what| Refused::at(what, *place))?;
        memory.types.insert(word, (own, type_of(own, set, numbers)));
    }
    Ok(memory)
}

fn unique<H: Ord + Copy>(taken: &BTreeSet<(H, String)>, name: String) -> String {
    let is_taken = |name: &String| taken.iter().any(|(_, other)| other == name);
    let mut numbered = (2..).map(|number| format!("{name}_{number}"));
    match is_taken(&name) {
        true => numbered.find(|name| !is_taken(name)).expect("numbers do not end"),
        false => name,
    }
}

/// The layouts of what is allocated.
fn heap_layouts(program: &Program) -> Vec<LayoutId> {
    let insts = program.functions.iter().flat_map(|f| &f.blocks).flat_map(|block| &block.insts);
    let mut all: Vec<LayoutId> = Vec::new();
    for inst in insts {
        if let Op::Alloc { layout: Some(layout), .. } = &inst.op
            && !all.contains(layout)
        {
            all.push(*layout);
        }
    }
    all
}

/// The members that lead to a byte of an object.
fn parts(program: &Program, layout: LayoutId, offset: u64) -> Option<Vec<String>> {
    let known = &program.layouts[layout];
    match &known.kind {
        LayoutKind::Record { fields, .. } => {
            let inside = |field: &&ir::layout::Field| {
                let size = program.layouts[field.layout].size;
                (field.offset..field.offset + size).contains(&offset)
            };
            let field = fields.iter().find(inside)?;
            let mut own = match field.purpose.is_lock_word() {
                true => Vec::new(),
                false => vec![field.name.trim_start_matches("__fp_").to_string()],
            };
            own.extend(parts(program, field.layout, offset - field.offset)?);
            Some(own)
        }
        LayoutKind::Array { element, .. } => {
            let size = program.layouts[*element].size.max(1);
            let mut own = vec![(offset / size).to_string()];
            own.extend(parts(program, *element, offset % size)?);
            Some(own)
        }
        _ => Some(Vec::new()),
    }
}

/// The Murphi type of a shape.
pub fn type_of(shape: Shape, set: &Set, numbers: &Numbers) -> String {
    match shape {
        Shape::Bool => "boolean".into(),
        Shape::Num(low, high) => format!("{}..{}", numbers.text(low), numbers.text(high)),
        Shape::Ref(_) => "Ref".into(),
        Shape::Link => "Link".into(),
        Shape::Owner => "Owner".into(),
        Shape::Unit => match set.iter().find(|value| **value != Abs::Undef) {
            Some(Abs::Int(number)) => {
                let number = numbers.text(*number);
                format!("{number}..{number}")
            }
            _ => "0..0".into(),
        },
    }
}

impl Memory {
    /// Whether there are nodes.
    pub fn has_nodes(&self) -> bool {
        self.types.keys().any(|word| word.home == Home::Heap)
    }

    /// The fields of nodes.
    pub fn fields(&self) -> impl Iterator<Item = (&str, Shape, &str)> {
        let heap = self.types.iter().filter(|(word, _)| word.home == Home::Heap);
        heap.map(|(word, (shape, text))| (self.names[word].as_str(), *shape, text.as_str()))
    }

    /// The words of globals, with what they are called.
    pub fn globals(&self) -> impl Iterator<Item = (GlobalId, &str, Shape, &str)> {
        self.types.iter().filter_map(|(word, (shape, text))| match word.home {
            Home::Global(global) => {
                Some((global, self.names[word].as_str(), *shape, text.as_str()))
            }
            Home::Heap => None,
        })
    }

    /// The declarations of globals.
    pub fn declarations(&self) -> String {
        let mut out = String::new();
        let mut open: Option<String> = None;
        for (_, name, _, text) in self.globals() {
            let (owner, field) = match name.split_once('.') {
                Some((owner, field)) => (owner, Some(field)),
                None => (name, None),
            };
            if open.as_deref() != Some(owner) && open.take().is_some() {
                out += "  end;\n";
            }
            match field {
                None => {
                    let _ = writeln!(out, "  {owner}: {text};");
                }
                Some(field) => {
                    if open.is_none() {
                        let _ = writeln!(out, "  {owner}: record");
                        open = Some(owner.to_string());
                    }
                    let _ = writeln!(out, "    {field}: {text};");
                }
            }
        }
        if open.is_some() {
            out += "  end;\n";
        }
        out
    }

    /// The statements that bring memory into the state in which threads start.
    pub fn start(&self, start: &dyn Start, numbers: &Numbers, factor: u64) -> String {
        let mut out = String::new();
        for block in 0..start.blocks() {
            let node = block + 1;
            let _ = writeln!(out, "  heap[{node}].is := present;");
            for (word, (shape, _)) in &self.types {
                if word.home == Home::Heap {
                    let held = start.held(Object::Heap(block), word.offset, word.width);
                    if let Some(text) = held_text(held, *shape, numbers, factor) {
                        let name = &self.names[word];
                        let _ = writeln!(out, "  heap[{node}].{name} := {text};");
                    }
                }
            }
        }
        for (word, (shape, _)) in &self.types {
            let Home::Global(global) = word.home else { continue };
            let held = start.held(Object::Global(global), word.offset, word.width);
            if let Some(text) = held_text(held, *shape, numbers, factor) {
                let _ = writeln!(out, "  {} := {text};", self.names[word]);
            }
        }
        out
    }
}

fn held_text(held: Held, shape: Shape, numbers: &Numbers, factor: u64) -> Option<String> {
    Some(match (held, shape) {
        (Held::Number(number), Shape::Bool) => (number != 0).to_string(),
        (Held::Number(_), Shape::Ref(_)) => "null".into(),
        (Held::Number(_), Shape::Owner) => "free".into(),
        (Held::Number(number), Shape::Link) => number.to_string(),
        (Held::Number(number), _) => bare(&numbers.text(number)).to_string(),
        (Held::Address(Object::Global(_), _), Shape::Unit) => "0".into(),
        (Held::Address(Object::Heap(block), _), Shape::Ref(_)) => (block + 1).to_string(),
        (Held::Address(Object::Heap(block), offset), Shape::Link) => {
            ((block as i64 + 1) * factor as i64 + offset).to_string()
        }
        _ => return None,
    })
}
