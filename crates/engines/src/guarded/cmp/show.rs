//! Lemmas as Murphi invariants.
//!
//! What is printed can be read again (`--lemmas FILE`): values that may be undefined are asked for
//! before they are compared, and reachability is a function that is printed with it.

use super::lemma::{Fact, Lemma};
use super::templates::{Column, Columns, MEMBER, TRUE, Term};
use guarded::model::ScalarKind;
use guarded::reduction::Reduction;
use guarded::show;
use std::collections::BTreeMap;

/// The names of members, by position.
const NAMES: [&str; 5] = ["i", "j", "k", "l", "m"];

/// Writes lemmas.
pub struct Writer<'r> {
    reduction: &'r Reduction,
    columns: &'r Columns,
    names: Vec<String>,
    states: &'r [Box<[u16]>],
    /// The functions that were used, by name.
    functions: BTreeMap<String, String>,
}

impl<'r> Writer<'r> {
    /// Writes lemmas about a model. What is defined in all of these states is not asked for.
    pub fn new(reduction: &'r Reduction, columns: &'r Columns, states: &'r [Box<[u16]>]) -> Self {
        let model = reduction.model();
        let taken = |name: &str| {
            model.variables.iter().any(|variable| variable.name.eq_ignore_ascii_case(name))
                || model.functions.iter().any(|one| one.name.eq_ignore_ascii_case(name))
        };
        let free = |name: &&str| match taken(name) {
            true => format!("{name}_"),
            false => name.to_string(),
        };
        let names = NAMES.iter().map(free).collect();
        Self { reduction, columns, names, states, functions: BTreeMap::new() }
    }

    /// All lemmas as a text.
    pub fn file(mut self, lemmas: &[Lemma]) -> String {
        let invariants: Vec<String> = lemmas
            .iter()
            .enumerate()
            .map(|(number, lemma)| {
                format!("invariant \"lemma {}\"\n  {};\n", number + 1, self.lemma(lemma))
            })
            .collect();
        let functions: String = self.functions.into_values().collect();
        functions + &invariants.concat()
    }

    /// A lemma as an expression.
    pub fn lemma(&mut self, lemma: &Lemma) -> String {
        let set = self.set();
        let mut text = String::new();
        for position in &lemma.positions {
            text += &format!("forall {}: {set} do ", self.names[*position]);
        }
        for (number, left) in lemma.positions.iter().enumerate() {
            for right in &lemma.positions[number + 1..] {
                text += &format!("{} = {} | ", self.names[*left], self.names[*right]);
            }
        }
        let (last, others) = lemma.facts.split_last().expect("a lemma has facts");
        let others: Vec<String> = others.iter().map(|fact| self.fact(*fact)).collect();
        let conclusion = self.fact(Fact { is: !last.is, ..*last });
        let body = match others.is_empty() {
            true => conclusion,
            false => format!("({} -> {conclusion})", others.join(" & ")),
        };
        text + &body + &" end".repeat(lemma.positions.len())
    }

    fn set(&self) -> String {
        let scalar = &self.reduction.model().types.scalars[self.reduction.set];
        scalar.name.as_deref().unwrap_or("member").to_string()
    }

    fn fact(&mut self, fact: Fact) -> String {
        let Fact { column, value, is } = fact;
        match self.columns.all[column as usize] {
            Column::Value(term) => {
                let (text, defined) = self.term(&term);
                match value {
                    0 => {
                        let defined = self.asked(&term, true);
                        if is { negated(&defined) } else { defined }
                    }
                    MEMBER => self.is_member(&term, &text, &defined, is),
                    value => {
                        let scalar = self.scalar(&term);
                        let low = self.reduction.model().types.scalars[scalar].low;
                        let number = low + i64::from(value) - 1;
                        let value = show::value(self.reduction.model(), scalar, number);
                        let (holds, fails) =
                            (format!("{text} = {value}"), format!("{text} != {value}"));
                        compared(&defined, &holds, &fails, is)
                    }
                }
            }
            Column::Defined(term) => {
                let defined = self.asked(&term, true);
                if (value == TRUE) == is { defined } else { negated(&defined) }
            }
            Column::Is(term, position) => {
                let (text, defined) = self.term(&term);
                let name = &self.names[position];
                let (holds, fails) = (format!("{text} = {name}"), format!("{text} != {name}"));
                compared(&defined, &holds, &fails, (value == TRUE) == is)
            }
            Column::Same(left, right) => self.relation(&left, &right, ("=", "!="), (value, is)),
            Column::Less(left, right) => self.relation(&left, &right, ("<", ">="), (value, is)),
            Column::Reach { from, to, first, .. } => {
                let function = self.reach_function(first);
                let ((from, a), (to, b)) = (self.term(&from), self.term(&to));
                let defined = both(&a, &b);
                let holds = format!("{function}({from}, {to})");
                tested(&defined, &holds, &format!("!{holds}"), (value, is))
            }
        }
    }

    fn relation(
        &mut self,
        left: &Term,
        right: &Term,
        (holds, fails): (&str, &str),
        (value, is): (u16, bool),
    ) -> String {
        let ((left, a), (right, b)) = (self.term(left), self.term(right));
        let (holds, fails) = (format!("{left} {holds} {right}"), format!("{left} {fails} {right}"));
        tested(&both(&a, &b), &holds, &fails, (value, is))
    }

    fn is_member(&self, term: &Term, text: &str, defined: &str, is: bool) -> String {
        let scalar = self.scalar(term);
        match &self.reduction.model().types.scalars[scalar].kind {
            ScalarKind::Union(_) => {
                let holds = format!("ismember({text}, {})", self.set());
                compared(defined, &holds, &format!("!{holds}"), is)
            }
            _ => {
                let defined = self.asked(term, true);
                if is { defined } else { negated(&defined) }
            }
        }
    }

    fn scalar(&self, term: &Term) -> guarded::model::ScalarId {
        match term {
            Term::Cell(cell) | Term::Field { first: cell, .. } => {
                self.reduction.layout.cells[*cell].scalar
            }
            Term::Constant(_, scalar) => *scalar,
        }
    }

    /// A term, and that it is defined.
    fn term(&self, term: &Term) -> (String, String) {
        let text = match term {
            Term::Cell(cell) => self.name(*cell),
            Term::Constant(code, scalar) => {
                let low = self.reduction.model().types.scalars[*scalar].low;
                let number = low + i64::from(*code) - 1;
                show::value(self.reduction.model(), *scalar, number)
            }
            Term::Field { pointer, first, .. } => self.element(*first, &self.name(*pointer)),
        };
        (text, self.asked(term, false))
    }

    /// That a term is defined; only what is not so in all states, if not `always`.
    fn asked(&self, term: &Term, always: bool) -> String {
        let kept = &self.reduction.kept;
        let place = |cell: usize| kept.iter().position(|one| *one == cell);
        let is_free = |cell: usize| {
            let place = place(cell);
            !always && place.is_some_and(|at| self.states.iter().all(|state| state[at] != 0))
        };
        let mut asked = Vec::new();
        let mut ask = |text: String| asked.push(format!("!isundefined({text})"));
        match term {
            Term::Constant(..) => {}
            Term::Cell(cell) if is_free(*cell) => {}
            Term::Cell(cell) => ask(self.name(*cell)),
            Term::Field { pointer, first, stride } => {
                if !is_free(*pointer) {
                    ask(self.name(*pointer));
                }
                let at = place(*pointer).expect("pointers are kept");
                let element = |state: &[u16]| match state[at] {
                    0 => 1,
                    code => {
                        let cell = first + (usize::from(code) - 1) * stride;
                        place(cell).map_or(0, |at| state[at])
                    }
                };
                if always || self.states.iter().any(|state| element(state) == 0) {
                    ask(self.element(*first, &self.name(*pointer)));
                }
            }
        }
        match asked.is_empty() {
            true => "true".to_string(),
            false => asked.join(" & "),
        }
    }

    /// The part of an array's element at an index, by the name of that of its first element.
    fn element(&self, first: usize, index: &str) -> String {
        let name = self.columns.names[first].clone().unwrap_or_else(|| {
            // The first element is at a member of another scalarset.
            show::cells(self.reduction.model())[first].name.clone()
        });
        match (name.find('['), name.find(']')) {
            (Some(open), Some(close)) => {
                format!("{}[{index}]{}", &name[..open], &name[close + 1..])
            }
            _ => name,
        }
    }

    fn name(&self, cell: usize) -> String {
        let mut name = self.columns.names[cell].clone().expect("only cells with names are offered");
        for (position, with) in self.names.iter().enumerate() {
            name = name.replace(&format!("{{{position}}}"), with);
        }
        name
    }

    /// The name of a function for reachability.
    fn reach_function(&mut self, first: usize) -> String {
        let part = self.element(first, "at");
        let words: String =
            part.chars().map(|one| if one.is_alphanumeric() { one } else { '_' }).collect();
        let name = format!("reaches_by_{}", words.replace("_at_", "").trim_matches('_'));
        let scalar = self.reduction.layout.cells[first].scalar;
        let this = &self.reduction.model().types.scalars[scalar];
        let ty = this.name.as_deref().unwrap_or("index");
        let text = format!(
            "function {name}(first: {ty}; last: {ty}): boolean;\n\
             var at: {ty}; left: 0..{};\nbegin\n  at := first;\n  left := {};\n  \
             while at != last & !isundefined({part}) & left > 0 do\n    at := {part};\n    \
             left := left - 1;\n  end;\n  return at = last;\nend;\n",
            this.span(),
            this.span()
        );
        self.functions.insert(name.clone(), text);
        name
    }
}

fn both(left: &str, right: &str) -> String {
    match (left, right) {
        ("true", other) | (other, "true") => other.to_string(),
        (left, right) => format!("{left} & {right}"),
    }
}

/// That something is defined and a test holds, or the opposite.
fn compared(defined: &str, holds: &str, fails: &str, is: bool) -> String {
    match (defined, is) {
        ("true", true) => holds.to_string(),
        ("true", false) => fails.to_string(),
        (_, true) => format!("({defined} & {holds})"),
        (_, false) => format!("({} | {fails})", negated(defined)),
    }
}

/// That a test of what may be undefined has a value, or (if not `is`) another one.
fn tested(defined: &str, holds: &str, fails: &str, (value, is): (u16, bool)) -> String {
    match (value, is) {
        (0, true) => negated(defined),
        (0, false) => format!("({defined})"),
        (TRUE, true) => compared(defined, holds, fails, true),
        (TRUE, false) => compared(defined, holds, fails, false),
        (_, true) => compared(defined, fails, holds, true),
        (_, false) => compared(defined, fails, holds, false),
    }
}

/// The opposite of a conjunction of `!isundefined(...)`.
fn negated(defined: &str) -> String {
    let parts: Vec<&str> =
        defined.split(" & ").filter(|part| *part != "true").map(|part| &part[1..]).collect();
    match parts.as_slice() {
        [] => "false".to_string(),
        [one] => one.to_string(),
        several => format!("({})", several.join(" | ")),
    }
}
