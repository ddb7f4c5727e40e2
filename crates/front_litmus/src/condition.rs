//! What stands after the program: `locations`, `filter`, and the quantified proposition.

use crate::init::{constant, thread_prefix};
use crate::locations::Locations;
use crate::test::{Constant, Observed, Place, Prop, Quantifier, Question, ValueType};
use crate::token::{Cursor, Kind, Token};
use execution::diagnostic::Diagnostic;
use ir::build::ProgramBuilder;

/// The sections after the program.
#[derive(Debug, Default)]
pub struct Ending {
    /// What `locations` lists.
    pub listed: Vec<Observed>,
    /// The filter.
    pub filter: Option<Prop>,
    /// The question.
    pub question: Option<Question>,
}

/// Whether a token starts one of these sections.
pub fn starts_ending(cursor: &Cursor<'_>) -> bool {
    let token = cursor.peek();
    let quantifier = |token: Token<'_>| {
        ["exists", "forall", "final", "locations", "filter"].iter().any(|word| token.is_word(word))
    };
    quantifier(token) && !cursor.peek_at(1).is(":")
        || token.is("~") && cursor.peek_at(1).is_word("exists")
        || token.is_word("not") && cursor.peek_at(1).is_word("exists")
}

/// Names a thread's register canonically and gives its type, or says that there is none.
pub type RegisterNames<'r> =
    &'r dyn Fn(usize, Token<'_>) -> Result<(String, ValueType), Diagnostic>;

/// Reads everything from here to the end of the file.
pub fn ending(
    cursor: &mut Cursor<'_>,
    program: &mut ProgramBuilder,
    locations: &mut Locations,
    registers: RegisterNames<'_>,
) -> Result<Ending, Diagnostic> {
    let mut reader = Reader { cursor, program, locations, registers, depth: 0 };
    let mut ending = Ending::default();
    if reader.cursor.eat_word("locations") {
        reader.listed(&mut ending.listed)?;
    }
    if reader.cursor.eat_word("filter") {
        ending.filter = Some(reader.prop()?);
        reader.cursor.eat(";");
    }
    if !reader.cursor.at_end() {
        ending.question = Some(reader.question()?);
    }
    reader.cursor.eat(";");
    reader.legacy()?;
    if !reader.cursor.at_end() {
        return Err(reader.cursor.wanted("the end of the file"));
    }
    Ok(ending)
}

struct Reader<'c, 't> {
    cursor: &'c mut Cursor<'t>,
    program: &'c mut ProgramBuilder,
    locations: &'c mut Locations,
    registers: RegisterNames<'c>,
    /// How deep the proposition is nested here.
    depth: usize,
}

/// Deeper nesting than any person writes; keeps the reader's own stack small.
const MAX_DEPTH: usize = 200;

impl Reader<'_, '_> {
    fn listed(&mut self, listed: &mut Vec<Observed>) -> Result<(), Diagnostic> {
        self.cursor.expect("[")?;
        while !self.cursor.eat("]") {
            if self.cursor.eat(";") {
                continue;
            }
            listed.push(self.listed_item()?);
            if !self.cursor.peek().is("]") {
                self.cursor.expect(";")?;
            }
        }
        Ok(())
    }

    fn listed_item(&mut self) -> Result<Observed, Diagnostic> {
        if let Some(thread) = thread_prefix(self.cursor)? {
            return Ok(Observed::Single(self.register(thread)?));
        }
        let bracketed = self.cursor.eat("[");
        let name = self.cursor.word("a register or location")?;
        if bracketed {
            self.cursor.expect("]")?;
        }
        let global = self.locations.named(self.program, name.text);
        let ty = self.locations.type_of(global);
        if !bracketed
            && !self.cursor.peek().is("[")
            && let Some(count) = ty.count
        {
            let cell = |index| self.locations.cell(name.text, global, Some(index));
            let elements = (0..count).map(cell).collect();
            return Ok(Observed::Array { name: name.text.to_string(), elements });
        }
        let index = self.index()?;
        Ok(Observed::Single(self.locations.cell(name.text, global, index)))
    }

    fn index(&mut self) -> Result<Option<u64>, Diagnostic> {
        if !self.cursor.eat("[") {
            return Ok(None);
        }
        let start = self.cursor.peek().span;
        let index = self.cursor.signed_number()?;
        self.cursor.expect("]")?;
        let index = u64::try_from(index).ok().filter(|index| *index < 1 << 20);
        index.map(Some).ok_or_else(|| Diagnostic::error(start, "no array has this element"))
    }

    fn register(&mut self, thread: usize) -> Result<Place, Diagnostic> {
        let token = self.cursor.word("a register")?;
        let (name, ty) = (self.registers)(thread, token)?;
        Ok(Place::Register { thread, name, ty })
    }

    fn question(&mut self) -> Result<Question, Diagnostic> {
        let start = self.cursor.peek().span;
        let quantifier = if self.cursor.eat("~") || self.cursor.eat_word("not") {
            if !self.cursor.eat_word("exists") {
                return Err(self.cursor.wanted("`exists`"));
            }
            Quantifier::NotExists
        } else if self.cursor.eat_word("exists") || self.cursor.eat_word("final") {
            Quantifier::Exists
        } else if self.cursor.eat_word("forall") {
            Quantifier::ForAll
        } else {
            return Err(self.cursor.wanted("`exists`, `~exists` or `forall`"));
        };
        let prop = self.prop()?;
        Ok(Question { quantifier, prop, span: start.to(self.cursor.previous_span()) })
    }

    /// The old `with tso: ~exists; …` lists of expected verdicts and `<< … >>` commands to a
    /// drawing tool: read and dropped.
    fn legacy(&mut self) -> Result<(), Diagnostic> {
        if self.cursor.eat_word("with") {
            while !self.cursor.at_end() && !self.cursor.peek().is("<<") {
                self.cursor.next();
            }
        }
        while self.cursor.eat("<<") {
            while !self.cursor.eat(">>") {
                if self.cursor.at_end() {
                    return Err(self.cursor.wanted("`>>`"));
                }
                self.cursor.next();
            }
        }
        Ok(())
    }

    fn prop(&mut self) -> Result<Prop, Diagnostic> {
        let left = self.disjunction()?;
        if self.cursor.eat("=>") {
            return Ok(Prop::Implies(Box::new(left), Box::new(self.nested(Self::prop)?)));
        }
        Ok(left)
    }

    fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Diagnostic>,
    ) -> Result<T, Diagnostic> {
        if self.depth >= MAX_DEPTH {
            let message = "this proposition is nested too deeply";
            return Err(Diagnostic::error(self.cursor.peek().span, message));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn disjunction(&mut self) -> Result<Prop, Diagnostic> {
        let mut props = vec![self.conjunction()?];
        while self.cursor.eat("\\/") {
            props.push(self.conjunction()?);
        }
        Ok(if props.len() == 1 { props.remove(0) } else { Prop::Or(props) })
    }

    fn conjunction(&mut self) -> Result<Prop, Diagnostic> {
        let mut props = vec![self.unary()?];
        while self.cursor.eat("/\\") {
            props.push(self.unary()?);
        }
        Ok(if props.len() == 1 { props.remove(0) } else { Prop::And(props) })
    }

    fn unary(&mut self) -> Result<Prop, Diagnostic> {
        if self.cursor.eat("~") || self.cursor.eat_word("not") {
            return Ok(Prop::Not(Box::new(self.nested(Self::unary)?)));
        }
        if self.cursor.eat("(") {
            let prop = self.nested(Self::prop)?;
            self.cursor.expect(")")?;
            return Ok(prop);
        }
        for (word, value) in [("true", true), ("false", false)] {
            if self.cursor.eat_word(word) {
                return Ok(Prop::Constant(value));
            }
        }
        self.atom()
    }

    fn atom(&mut self) -> Result<Prop, Diagnostic> {
        let place = if let Some(thread) = thread_prefix(self.cursor)? {
            self.register(thread)?
        } else {
            match self.listed_item()? {
                Observed::Single(place) => place,
                Observed::Array { name, elements } => return self.array(name, elements),
            }
        };
        let negated = if self.cursor.eat("=") || self.cursor.eat("==") {
            false
        } else if self.cursor.eat("!=") || self.cursor.eat("<>") {
            true
        } else {
            return Err(self.cursor.wanted("`=` or `<>`"));
        };
        let atom = self.right_side(place)?;
        Ok(if negated { Prop::Not(Box::new(atom)) } else { atom })
    }

    fn right_side(&mut self, place: Place) -> Result<Prop, Diagnostic> {
        if self.cursor.peek().is("[") {
            return match self.listed_item()? {
                Observed::Single(other) => Ok(Prop::Same(place, other)),
                Observed::Array { .. } => Err(self.cursor.wanted("a cell")),
            };
        }
        let thread_ahead = self.cursor.peek_at(1).is(":") && self.cursor.peek().kind != Kind::Mark;
        if thread_ahead && let Some(thread) = thread_prefix(self.cursor)? {
            return Ok(Prop::Same(place, self.register(thread)?));
        }
        let value = constant(self.cursor, self.program, self.locations)?;
        Ok(Prop::Equal(place, value))
    }

    fn array(&mut self, name: String, elements: Vec<Place>) -> Result<Prop, Diagnostic> {
        self.cursor.expect("=")?;
        let open = self.cursor.expect("{")?.span;
        let mut values: Vec<Constant> = Vec::new();
        while !self.cursor.eat("}") {
            values.push(constant(self.cursor, self.program, self.locations)?);
            if !self.cursor.peek().is("}") {
                self.cursor.expect(",")?;
            }
        }
        if values.len() != elements.len() {
            let message = format!("`{name}` has {} elements", elements.len());
            return Err(Diagnostic::error(open.to(self.cursor.previous_span()), message));
        }
        let elements = elements.into_iter().zip(values).collect();
        Ok(Prop::ArrayEqual { name, elements })
    }
}
