//! What stands after the program: `locations`, `filter`, and the quantified proposition.

use crate::init::{constant, outside, part_offset, thread_prefix};
use crate::locations::{Locations, type_of_words};
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
        ["exists", "forall", "final", "observed", "locations", "filter"]
            .iter()
            .any(|word| token.is_word(word))
    };
    quantifier(token) && !cursor.peek_at(1).is(":")
        || token.is("~") && cursor.peek_at(1).is_word("exists")
        || token.is_word("not") && cursor.peek_at(1).is_word("exists")
        || token.is("(")
}

/// Names a thread's register canonically and gives its type if one is declared, or says that there
/// is no such register.
pub type RegisterNames<'r> =
    &'r dyn Fn(usize, Token<'_>) -> Result<(String, Option<ValueType>), Diagnostic>;

/// Reads everything from here to the end of the file.
pub fn ending(
    cursor: &mut Cursor<'_>,
    program: &mut ProgramBuilder,
    locations: &mut Locations,
    registers: RegisterNames<'_>,
) -> Result<Ending, Diagnostic> {
    let mut reader = Reader { cursor, program, locations, registers, types: Vec::new(), depth: 0 };
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
    /// The types that `locations` gives.
    types: Vec<(Place, ValueType)>,
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
            let item = self.listed_item()?;
            listed.push(self.listed_as(item)?);
            if !self.cursor.peek().is("]") {
                self.cursor.expect(";")?;
            }
        }
        Ok(())
    }

    /// The type after what is listed (`0:X1 int64_t`, `p*`): how the value is printed.
    fn listed_as(&mut self, item: Observed) -> Result<Observed, Diagnostic> {
        let mut words = Vec::new();
        while self.cursor.peek().kind == Kind::Word {
            words.push(self.cursor.next().text);
        }
        let mut pointer = false;
        while self.cursor.eat("*") {
            pointer = true;
        }
        if words.is_empty() && !pointer {
            return Ok(item);
        }
        let ty = if pointer { ValueType::POINTER } else { type_of_words(&words).0 };
        let Observed::Single(place) = item else { return Err(self.cursor.wanted("`;`")) };
        self.types.push((place.clone(), ty));
        Ok(Observed::Single(place.with_type(ty)))
    }

    /// A place with the type that `locations` gives it.
    fn typed(&self, place: Place) -> Place {
        match self.types.iter().find(|(known, _)| *known == place) {
            Some(&(_, ty)) => place.with_type(ty),
            None => place,
        }
    }

    fn listed_item(&mut self) -> Result<Observed, Diagnostic> {
        if let Some(thread) = thread_prefix(self.cursor)? {
            return Ok(Observed::Single(self.register(thread)?));
        }
        let bracketed = self.cursor.eat("[");
        let name = self.cursor.word("a register or location")?;
        let offset = part_offset(self.cursor)?;
        if bracketed {
            self.cursor.expect("]")?;
        }
        let global = self.locations.named(self.program, name.text);
        if let Some((offset, span)) = offset {
            let place = self.locations.part(name.text, global, offset);
            let outside = || outside(name.span.to(span), name.text);
            return Ok(Observed::Single(self.typed(place.ok_or_else(outside)?)));
        }
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
        Ok(Observed::Single(self.typed(self.locations.cell(name.text, global, index))))
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
        let declared = ty.is_some();
        let ty = ty.unwrap_or(ValueType::INT);
        Ok(self.typed(Place::Register { thread, name, ty, declared }))
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
        } else if self.cursor.eat_word("observed") {
            let prop = self.states()?;
            let span = start.to(self.cursor.previous_span());
            return Ok(Question { quantifier: Quantifier::Exists, prop, span });
        } else if self.cursor.peek().is("(") {
            Quantifier::Exists
        } else {
            return Err(self.cursor.wanted("`exists`, `~exists` or `forall`"));
        };
        let prop = self.prop()?;
        Ok(Question { quantifier, prop, span: start.to(self.cursor.previous_span()) })
    }

    /// States as a log lists them: `0:r1=0; x=1; and 0:r1=1; x=1;`.
    fn states(&mut self) -> Result<Prop, Diagnostic> {
        let mut states = Vec::new();
        loop {
            let mut atoms = Vec::new();
            while !self.cursor.at_end() && !self.cursor.peek().is_word("and") {
                atoms.push(self.atom()?);
                self.cursor.expect(";")?;
            }
            states.push(Prop::And(atoms));
            if !self.cursor.eat_word("and") {
                return Ok(Prop::Or(states));
            }
        }
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

    /// A proposition. As in herd, `=>` binds more strongly than `/\\` and `\\/`.
    fn prop(&mut self) -> Result<Prop, Diagnostic> {
        self.disjunction()
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
        let mut props = vec![self.implication()?];
        while self.cursor.eat("/\\") {
            props.push(self.implication()?);
        }
        Ok(if props.len() == 1 { props.remove(0) } else { Prop::And(props) })
    }

    fn implication(&mut self) -> Result<Prop, Diagnostic> {
        let left = self.unary()?;
        if self.cursor.eat("=>") {
            let right = self.nested(Self::implication)?;
            return Ok(Prop::Implies(Box::new(left), Box::new(right)));
        }
        Ok(left)
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
        let negated = self.comparison()?;
        let atom = self.right_side(place)?;
        Ok(if negated { Prop::Not(Box::new(atom)) } else { atom })
    }

    fn right_side(&mut self, place: Place) -> Result<Prop, Diagnostic> {
        // `*x` is what `x` holds, and `*0:r1` what `0:r1` itself holds.
        let content = self.cursor.eat("*");
        let of_location = content && !self.cursor.peek_at(1).is(":");
        if self.cursor.peek().is("[") || of_location {
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
        let negated = self.comparison()?;
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
        let atom = Prop::ArrayEqual { name, elements };
        Ok(if negated { Prop::Not(Box::new(atom)) } else { atom })
    }

    /// Takes the sign of a comparison; returns whether it is `<>`.
    fn comparison(&mut self) -> Result<bool, Diagnostic> {
        if self.cursor.eat("=") || self.cursor.eat("==") {
            Ok(false)
        } else if self.cursor.eat("!=") || self.cursor.eat("<>") {
            Ok(true)
        } else {
            Err(self.cursor.wanted("`=` or `<>`"))
        }
    }
}
