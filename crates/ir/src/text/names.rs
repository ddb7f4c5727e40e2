//! How things are named in the text form: handles of registers and slots, quoting, strings.

use crate::layout::{Layout, LayoutId, LayoutKind};
use crate::program::{Function, Program, Reg, SlotId};
use execution::ids::{Id, IdVec};
use execution::printable::is_printable;
use std::collections::HashMap;
use std::fmt::Write;

/// What a handle such as `%tail.2` or `$7` says: the source name, if any, and which one of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Handle {
    /// The source name.
    pub name: Option<String>,
    /// Which of that name, from 1; without a name, any number.
    pub ordinal: u128,
}

impl Handle {
    /// Reads an unquoted handle, without its sigil.
    pub fn from_word(word: &str) -> Handle {
        if let Ok(ordinal) = word.parse() {
            return Handle { name: None, ordinal };
        }
        if let Some((name, number)) = word.rsplit_once('.')
            && let Ok(ordinal) = number.parse()
        {
            return Handle { name: Some(name.to_string()), ordinal };
        }
        Handle { name: Some(word.to_string()), ordinal: 1 }
    }
}

/// Whether a character may stand in an unquoted name; a dot only between two such.
pub(super) fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Whether a name can stand unquoted after a sigil.
fn is_plain(name: &str) -> bool {
    let name = name.strip_prefix('.').unwrap_or(name);
    name.split('.').all(|part| !part.is_empty() && part.chars().all(is_name_char))
}

/// Whether a name can stand unquoted without a sigil.
fn is_word(name: &str) -> bool {
    is_plain(name) && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// A string between quotes, with escapes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '\0'..='\x7f' => push_escaped(&mut out, c as u8),
            c if is_printable(c) => out.push(c),
            c => c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| push_escaped(&mut out, byte)),
        }
    }
    out.push('"');
    out
}

/// Bytes between quotes, with escapes.
pub(super) fn quoted_bytes(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for &byte in bytes {
        push_escaped(&mut out, byte);
    }
    out.push('"');
    out
}

fn push_escaped(out: &mut String, byte: u8) {
    match byte {
        b'\n' => out.push_str("\\n"),
        b'\r' => out.push_str("\\r"),
        b'\t' => out.push_str("\\t"),
        b'\0' => out.push_str("\\0"),
        b'\\' => out.push_str("\\\\"),
        b'"' => out.push_str("\\\""),
        b' '..=b'~' => out.push(char::from(byte)),
        // Writing to a string cannot fail.
        _ => drop(write!(out, "\\x{byte:02x}")),
    }
}

/// A name that stands without a sigil: a function's, a layout's, a member's.
pub(super) fn word(name: &str) -> String {
    if is_word(name) { name.to_string() } else { quoted(name) }
}

/// A name that stands after a sigil and is unique.
pub(super) fn sigiled(sigil: char, name: &str) -> String {
    if is_plain(name) { format!("{sigil}{name}") } else { format!("{sigil}{}", quoted(name)) }
}

/// The handles of a function's registers and slots.
pub(super) struct Handles {
    regs: IdVec<Reg, String>,
    slots: IdVec<SlotId, String>,
}

impl Handles {
    /// Names everything in a function.
    pub fn new(function: &Function) -> Handles {
        let mut seen = HashMap::new();
        let regs = function.regs.enumerate();
        let regs = regs.map(|(id, reg)| handle('%', id.index(), reg.name.as_deref(), &mut seen));
        let regs = regs.collect();
        let mut seen = HashMap::new();
        let slots = function.slots.enumerate().map(|(id, slot)| {
            let name = Some(slot.name.as_str()).filter(|name| !name.is_empty());
            handle('$', id.index(), name, &mut seen)
        });
        let slots = slots.collect();
        Handles { regs, slots }
    }

    /// The handle of a register. One that the function does not have gets a handle, too, that
    /// cannot be parsed back, so that a broken program can be printed.
    pub fn reg(&self, reg: Reg) -> String {
        self.regs.get(reg).cloned().unwrap_or_else(|| format!("%?{}", reg.index()))
    }

    /// The handle of a slot.
    pub fn slot(&self, slot: SlotId) -> String {
        self.slots.get(slot).cloned().unwrap_or_else(|| format!("$?{}", slot.index()))
    }
}

fn handle(
    sigil: char,
    index: usize,
    name: Option<&str>,
    seen: &mut HashMap<String, u32>,
) -> String {
    let Some(name) = name else { return format!("{sigil}{index}") };
    let count = seen.entry(name.to_string()).or_default();
    *count += 1;
    let plain = is_plain(name) && Handle::from_word(name).name.as_deref() == Some(name);
    let base = if plain { format!("{sigil}{name}") } else { format!("{sigil}{}", quoted(name)) };
    if *count == 1 { base } else { format!("{base}.{count}") }
}

/// Names for layouts, made from their contents. They are labels within one text and no data.
pub(super) fn layout_names(program: &Program) -> IdVec<LayoutId, String> {
    let mut seen: HashMap<String, u32> = HashMap::new();
    let name = |layout: &Layout| {
        let base = match &layout.kind {
            LayoutKind::Pointer(target) => match target.and_then(|id| program.layouts.get(id)) {
                Some(target) => format!("ptr.{}", simple_name(target)),
                None => "ptr".to_string(),
            },
            LayoutKind::Array { element, .. } => match program.layouts.get(*element) {
                Some(element) => format!("array.{}", simple_name(element)),
                None => "array".to_string(),
            },
            _ => simple_name(layout),
        };
        let count = seen.entry(base.clone()).or_default();
        *count += 1;
        if *count == 1 { base } else { format!("{base}.{count}") }
    };
    program.layouts.iter().map(name).collect()
}

/// The last word of a record's name, a C name for a number, or the kind.
fn simple_name(layout: &Layout) -> String {
    match &layout.kind {
        LayoutKind::Int { signed } => {
            let base = match layout.size {
                1 => "char".to_string(),
                2 => "short".to_string(),
                4 => "int".to_string(),
                8 => "long".to_string(),
                size => format!("int{size}"),
            };
            if *signed { base } else { format!("u{base}") }
        }
        LayoutKind::Float => match layout.size {
            4 => "float".to_string(),
            8 => "double".to_string(),
            size => format!("float{size}"),
        },
        LayoutKind::Pointer(_) => "ptr".to_string(),
        LayoutKind::Array { .. } => "array".to_string(),
        LayoutKind::Record { name, .. } => {
            let last = name.split_whitespace().last().unwrap_or("");
            let usable = is_word(last) && !last.contains('.');
            if usable { last.to_string() } else { "record".to_string() }
        }
        LayoutKind::Opaque => "opaque".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_names_are_quoted() {
        assert_eq!(sigiled('@', ".str.3"), "@.str.3");
        assert_eq!(sigiled('@', "a b"), "@\"a b\"");
        assert_eq!(sigiled('@', "a..b"), "@\"a..b\"");
        assert_eq!(word("main"), "main");
        assert_eq!(word("3x"), "\"3x\"");
        assert_eq!(word(""), "\"\"");
    }

    #[test]
    fn a_name_that_looks_like_a_handle_is_quoted() {
        let mut seen = HashMap::new();
        assert_eq!(handle('%', 0, Some("x"), &mut seen), "%x");
        assert_eq!(handle('%', 1, Some("x"), &mut seen), "%x.2");
        assert_eq!(handle('%', 2, Some("x.2"), &mut seen), "%\"x.2\"");
        assert_eq!(handle('%', 3, Some("17"), &mut seen), "%\"17\"");
        assert_eq!(handle('%', 4, None, &mut seen), "%4");
    }
}
