//! The init section: declared locations, initial values, and register bindings.

use crate::locations::{LocationType, Locations, type_of_words};
use crate::test::{Constant, ValueType};
use crate::token::{Cursor, Kind, Token};
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use ir::build::ProgramBuilder;

/// What the init section says about one register.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegisterInit {
    /// The thread; `None` for a symbolic register (`%x`), which belongs to any thread.
    pub thread: Option<usize>,
    /// The register as written.
    pub name: String,
    /// Its declared type.
    pub ty: Option<ValueType>,
    /// Its initial value.
    pub value: Option<Constant>,
    /// Where it stands.
    pub span: Span,
}

/// Reads the init section, from its opening brace to its closing one.
pub fn init(
    cursor: &mut Cursor<'_>,
    program: &mut ProgramBuilder,
    locations: &mut Locations,
) -> Result<Vec<RegisterInit>, Diagnostic> {
    let open = cursor.expect("{")?.span;
    let mut reader = Reader { cursor, program, locations, registers: Vec::new() };
    loop {
        if reader.cursor.eat("}") {
            break;
        }
        if reader.cursor.at_end() {
            return Err(Diagnostic::error(open, "the initial state is not closed")
                .label("this brace is never closed"));
        }
        if reader.cursor.eat(";") {
            continue;
        }
        reader.item()?;
        if !reader.cursor.peek().is("}") {
            reader.cursor.expect(";")?;
        }
    }
    let registers = reader.registers;
    cursor.eat(";");
    Ok(registers)
}

struct Reader<'c, 't> {
    cursor: &'c mut Cursor<'t>,
    program: &'c mut ProgramBuilder,
    locations: &'c mut Locations,
    registers: Vec<RegisterInit>,
}

impl<'t> Reader<'_, 't> {
    fn item(&mut self) -> Result<(), Diagnostic> {
        let ty = self.type_words()?;
        if self.cursor.peek().is("%") {
            return self.symbolic_register(ty.map(|ty| ty.value));
        }
        if let Some(thread) = thread_prefix(self.cursor)? {
            return self.register(thread, ty.map(|ty| ty.value));
        }
        let bracketed = self.cursor.eat("[");
        let name = self.cursor.word("a location")?;
        let part = part_offset(self.cursor)?;
        if bracketed {
            self.cursor.expect("]")?;
        }
        match part {
            Some((offset, span)) => self.part(name.text, offset, name.span.to(span)),
            None => self.location(name.text, ty),
        }
    }

    /// The initial value of a part of a location: `[x+4]=1`.
    fn part(&mut self, name: &str, offset: u64, span: Span) -> Result<(), Diagnostic> {
        let global = self.locations.named(self.program, name);
        let place = self.locations.part(name, global, offset).ok_or_else(|| outside(span, name))?;
        self.cursor.expect("=")?;
        let holds_address =
            || Diagnostic::error(span, "an address and its parts cannot be given initial values");
        let Constant::Int(number) = self.value()? else { return Err(holds_address()) };
        match self.locations.set_part(self.program, &place, number) {
            true => Ok(()),
            false => Err(holds_address()),
        }
    }

    /// The type before a declaration, if there is one: words and stars up to the last word
    /// before `=`, `;`, `[`, `:` or the end.
    fn type_words(&mut self) -> Result<Option<LocationType>, Diagnostic> {
        let mut words: Vec<&'t str> = Vec::new();
        let mut pointer = false;
        loop {
            let (token, after) = (self.cursor.peek(), self.cursor.peek_at(1));
            let is_type = token.kind == Kind::Word
                && (after.kind == Kind::Word
                    || after.kind == Kind::Number
                    || after.is("*")
                    || after.is("%"));
            if is_type {
                words.push(self.cursor.next().text);
            } else if token.is("*") && !words.is_empty() {
                self.cursor.next();
                pointer = true;
            } else {
                break;
            }
        }
        if words.is_empty() {
            return Ok(None);
        }
        let (mut value, atomic) = type_of_words(&words);
        if pointer {
            value = ValueType::POINTER;
        }
        Ok(Some(LocationType { value, count: None, atomic }))
    }

    fn symbolic_register(&mut self, ty: Option<ValueType>) -> Result<(), Diagnostic> {
        let start = self.cursor.expect("%")?.span;
        let word = self.cursor.word("the name of a symbolic register")?;
        let value = if self.cursor.eat("=") { Some(self.value()?) } else { None };
        let (name, span) = (format!("%{}", word.text), start.to(word.span));
        self.registers.push(RegisterInit { thread: None, name, ty, value, span });
        Ok(())
    }

    fn register(&mut self, thread: usize, ty: Option<ValueType>) -> Result<(), Diagnostic> {
        let symbolic = self.cursor.eat("%");
        let word = self.cursor.word("a register")?;
        let value = if self.cursor.eat("=") { Some(self.value()?) } else { None };
        let name = if symbolic { format!("%{}", word.text) } else { word.text.to_string() };
        self.registers.push(RegisterInit {
            thread: Some(thread),
            name,
            ty,
            value,
            span: word.span,
        });
        Ok(())
    }

    fn location(&mut self, name: &str, ty: Option<LocationType>) -> Result<(), Diagnostic> {
        let mut count = None;
        let mut index = None;
        if self.cursor.peek().is("[") {
            let open = self.cursor.next().span;
            let number = self.cursor.signed_number()?;
            let close = self.cursor.expect("]")?.span;
            let number =
                u64::try_from(number).ok().filter(|n| *n <= MAX_ARRAY).ok_or_else(|| {
                    let message = format!("an array has between 1 and {MAX_ARRAY} elements");
                    Diagnostic::error(open.to(close), message)
                })?;
            if ty.is_some() { count = Some(number.max(1)) } else { index = Some(number) }
        }
        let global = match ty {
            Some(ty) => {
                let ty = LocationType { count, ..ty };
                self.locations.declare(self.program, name, ty)
            }
            None => self.locations.named(self.program, name),
        };
        if self.cursor.eat("=") {
            if self.cursor.peek().is("{") {
                return self.elements(name, global);
            }
            let value = self.value()?;
            self.locations.set_initial(self.program, global, index.unwrap_or(0), &value);
        }
        Ok(())
    }

    fn elements(&mut self, name: &str, global: ir::program::GlobalId) -> Result<(), Diagnostic> {
        let open = self.cursor.expect("{")?.span;
        let mut values = Vec::new();
        while !self.cursor.eat("}") {
            values.push(self.value()?);
            if !self.cursor.peek().is("}") {
                self.cursor.expect(",")?;
            }
        }
        let ty = self.locations.type_of(global);
        if (ty.count.unwrap_or(1) as usize) < values.len() {
            let message = format!("`{name}` has fewer elements than there are values here");
            return Err(Diagnostic::error(open.to(self.cursor.previous_span()), message));
        }
        for (index, value) in values.iter().enumerate() {
            self.locations.set_initial(self.program, global, index as u64, value);
        }
        Ok(())
    }

    fn value(&mut self) -> Result<Constant, Diagnostic> {
        let cast = self.cursor.peek().is("(");
        if cast {
            while !self.cursor.eat(")") {
                if self.cursor.at_end() {
                    return Err(self.cursor.wanted("`)`"));
                }
                self.cursor.next();
            }
        }
        if let Some(argument) = initialiser_macro(self.cursor)? {
            return Ok(Constant::Int(argument));
        }
        constant(self.cursor, self.program, self.locations)
    }
}

/// Arrays in litmus tests are small; a larger one is a slip of the pen.
const MAX_ARRAY: u64 = 4096;

/// `ATOMIC_INIT(n)` and the like.
fn initialiser_macro(cursor: &mut Cursor<'_>) -> Result<Option<i128>, Diagnostic> {
    let token = cursor.peek();
    if token.kind != Kind::Word || !cursor.peek_at(1).is("(") {
        return Ok(None);
    }
    if !matches!(
        token.text,
        "ATOMIC_INIT" | "ATOMIC64_INIT" | "ATOMIC_LONG_INIT" | "ATOMIC_VAR_INIT"
    ) {
        let message = format!("unknown initialiser `{}`", token.text);
        return Err(Diagnostic::error(token.span, message));
    }
    cursor.next();
    cursor.expect("(")?;
    let value = cursor.signed_number()?;
    cursor.expect(")")?;
    Ok(Some(value))
}

/// `P0:` or `0:` before a register.
pub fn thread_prefix(cursor: &mut Cursor<'_>) -> Result<Option<usize>, Diagnostic> {
    let token = cursor.peek();
    if !cursor.peek_at(1).is(":") {
        return Ok(None);
    }
    let digits = match token.kind {
        Kind::Number => token.text,
        Kind::Word => token.text.strip_prefix('P').unwrap_or(""),
        _ => "",
    };
    let Some(thread) = digits.parse::<usize>().ok().filter(|thread| *thread < MAX_THREADS) else {
        return Err(bad_thread(token));
    };
    cursor.next();
    cursor.next();
    Ok(Some(thread))
}

/// More threads than any test has.
pub const MAX_THREADS: usize = 1024;

fn bad_thread(token: Token<'_>) -> Diagnostic {
    Diagnostic::error(token.span, format!("{} is not the number of a thread", token.describe()))
}

/// Takes `+4` after the name of a location: the offset, and where it stands.
pub fn part_offset(cursor: &mut Cursor<'_>) -> Result<Option<(u64, Span)>, Diagnostic> {
    if !cursor.eat("+") {
        return Ok(None);
    }
    let span = cursor.peek().span;
    let offset = cursor.signed_number()?;
    let offset = u64::try_from(offset).map_err(|_| {
        Diagnostic::error(span, "an offset into a location is a number of bytes from 0 on")
    })?;
    Ok(Some((offset, span)))
}

/// That an offset is not one of the location's own bytes.
pub fn outside(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(span, format!("this is outside of `{name}`"))
}

/// A number, or the address of a location: `x`, `&x`, `x[1]`, `x+4`.
pub fn constant(
    cursor: &mut Cursor<'_>,
    program: &mut ProgramBuilder,
    locations: &mut Locations,
) -> Result<Constant, Diagnostic> {
    let token = cursor.peek();
    if token.kind == Kind::Number || token.is("-") {
        return Ok(Constant::Int(cursor.signed_number()?));
    }
    cursor.eat("&");
    let name = cursor.word("a number or a location")?;
    if name.text == "NULL" {
        return Ok(Constant::Int(0));
    }
    let global = locations.named(program, name.text);
    let mut offset = 0;
    if cursor.eat("[") {
        let index = cursor.signed_number()?;
        cursor.expect("]")?;
        offset = index.saturating_mul(i128::from(locations.stride(global)));
    } else if cursor.peek().is("+") {
        cursor.next();
        offset = cursor.signed_number()?;
    }
    let size = program.program().globals[global].size;
    let offset = u64::try_from(offset)
        .ok()
        .filter(|offset| *offset <= size)
        .ok_or_else(|| outside(name.span.to(cursor.previous_span()), name.text))?;
    Ok(Constant::Address { global, name: name.text.to_string(), offset })
}
