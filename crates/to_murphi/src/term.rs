//! Expressions over the state before a rule, and how they are written in Murphi.

use crate::facts::Facts;
use crate::shape::{Numbers, Shape, is_large, is_truth, lows, shape};
use crate::value::{Abs, Meaning, Set, Word, binary, cast, unary};
use execution::ids::IdVec;
use ir::op::{BinaryOp, CastOp, UnaryOp};
use ir::program::{Reg, RegInfo, Width};
use std::collections::BTreeMap;
use std::rc::Rc;

/// An expression with the values that it can have.
#[derive(Clone, PartialEq, Debug)]
pub struct Term {
    pub kind: Kind,
    pub set: Set,
}

/// What an expression is.
#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    /// The one value of the set.
    Const,
    Undef,
    /// The number of the running thread.
    Me,
    /// What the operation has chosen.
    Arg,
    /// A variable of the thread.
    Var(Reg),
    /// A variable of the rule, and what it was set to, if that can be written before the rule.
    Local(String, Shape, Option<Rc<Term>>),
    /// A word of memory: of which node, and whether that has to be checked.
    Word {
        word: Word,
        node: Option<Rc<Term>>,
        checked: bool,
        after: bool,
    },
    Binary(BinaryOp, Width, Rc<Term>, Rc<Term>),
    Select(Rc<Term>, Rc<Term>, Rc<Term>),
}

impl Term {
    /// A value.
    pub fn constant(value: Abs) -> Term {
        Term { kind: Kind::Const, set: Set::from([value]) }
    }

    pub fn undef() -> Term {
        Term { kind: Kind::Undef, set: Set::from([Abs::Undef]) }
    }

    /// The number that it is, if that is known.
    pub fn number(&self) -> Option<i128> {
        match (self.set.len(), self.set.first()) {
            (1, Some(Abs::Int(number))) => Some(*number),
            _ => None,
        }
    }

    /// Whether it is one value, or undefined.
    pub fn is_constant(&self) -> bool {
        matches!(self.kind, Kind::Const | Kind::Undef)
    }

    /// The same, or the constant that it is.
    pub fn folded(self) -> Term {
        match (self.set.len(), self.set.first()) {
            (1, Some(Abs::Int(_) | Abs::At(..))) => Term { kind: Kind::Const, ..self },
            (1, Some(Abs::Undef)) => Term::undef(),
            _ => self,
        }
    }

    /// Whether both are the same variable.
    fn is_same(&self, other: &Term) -> bool {
        let is_name = matches!(self.kind, Kind::Me | Kind::Arg | Kind::Var(_) | Kind::Local(..));
        is_name && self == other
    }

    /// Whether it reads a word of memory.
    pub fn mentions(&self, word: Word) -> bool {
        match &self.kind {
            Kind::Word { word: own, node, .. } => {
                *own == word || node.as_ref().is_some_and(|node| node.mentions(word))
            }
            Kind::Binary(_, _, a, b) => a.mentions(word) || b.mentions(word),
            Kind::Select(c, a, b) => [c, a, b].into_iter().any(|it| it.mentions(word)),
            _ => false,
        }
    }

    pub fn binary(op: BinaryOp, width: Width, a: &Term, b: &Term) -> Meaning<Term> {
        let set = binary(op, width, &a.set, &b.set)?;
        if a.is_same(b) && matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            return Ok(Term::constant(Abs::Int((op == BinaryOp::Eq).into())));
        }
        let stays = |value: &Abs| {
            let same = Set::from([*value]);
            binary(op, width, &same, &b.set).is_ok_and(|result| result == same)
        };
        if b.number().is_some() && a.set.iter().all(stays) {
            return Ok(a.clone());
        }
        let moves = matches!(op, BinaryOp::Add | BinaryOp::Sub)
            && a.set.iter().any(|value| matches!(value, Abs::Node(_)))
            && b.number().is_some()
            && lows(&a.set)?.len() == 1;
        let kind = match moves {
            // The number of the node stays what it is.
            true => a.kind.clone(),
            false => Kind::Binary(op, width, Rc::new(a.clone()), Rc::new(b.clone())),
        };
        Ok(Term { kind, set }.folded())
    }

    pub fn unary(op: UnaryOp, width: Width, a: &Term) -> Meaning<Term> {
        let set = unary(op, width, &a.set)?;
        if set == a.set {
            return Ok(a.clone());
        }
        match set.len() {
            1 => Ok(Term { kind: Kind::Const, set }.folded()),
            _ => Err(format!("`{}` of a number", format!("{op:?}").to_lowercase())),
        }
    }

    pub fn cast(op: CastOp, from: Width, to: Width, a: &Term) -> Meaning<Term> {
        let set = cast(op, from, to, &a.set)?;
        match set == a.set {
            true => Ok(a.clone()),
            false if set.len() == 1 => Ok(Term { kind: Kind::Const, set }.folded()),
            false => Err("a conversion that changes a number".into()),
        }
    }

    pub fn select(cond: &Term, a: &Term, b: &Term) -> Term {
        match cond.number() {
            Some(0) => b.clone(),
            Some(_) => a.clone(),
            None => {
                let set = a.set.union(&b.set).copied().collect();
                let all = [cond, a, b].map(|term| Rc::new(term.clone()));
                let [cond, a, b] = all;
                Term { kind: Kind::Select(cond, a, b), set }.folded()
            }
        }
    }
}

/// Writes expressions.
pub struct Writer<'a> {
    pub facts: &'a Facts,
    pub at: usize,
    pub regs: &'a IdVec<Reg, RegInfo>,
    pub numbers: &'a Numbers,
    pub factor: u64,
    /// The names of the thread's variables, and of words.
    pub vars: &'a BTreeMap<Reg, String>,
    pub words: &'a BTreeMap<Word, String>,
    /// Whether only the state before the rule may be read.
    pub before: bool,
}

impl Writer<'_> {
    /// A word of memory.
    pub fn word(&self, word: Word, node: Option<&Term>, checked: bool) -> Meaning<String> {
        let name = &self.words[&word];
        Ok(match node {
            None => name.clone(),
            Some(node) => {
                let node = self.node(node)?;
                match checked {
                    true => format!("heap[node({node})].{name}"),
                    false => format!("heap[{node}].{name}"),
                }
            }
        })
    }

    /// What a variable or word is called, and its shape.
    fn place(&self, term: &Term) -> Meaning<Option<(String, Shape)>> {
        Ok(match &term.kind {
            Kind::Me => Some(("t".into(), Shape::Owner)),
            Kind::Arg => Some(("th[t].arg".into(), Shape::Num(0, 0))),
            Kind::Var(reg) => {
                let of = shape(&self.facts.regs[self.at][*reg], self.regs[*reg].width)?;
                Some((format!("th[t].{}", self.vars[reg]), of))
            }
            Kind::Local(_, _, origin) if self.before => match origin {
                Some(origin) => return self.place(origin),
                None => return Err("an assumption about what the same step changes".into()),
            },
            Kind::Local(name, shape, _) => Some((name.clone(), *shape)),
            Kind::Word { after: true, .. } if self.before => {
                return Err("an assumption about what the same step changes".into());
            }
            Kind::Word { word, node, checked, .. } => {
                let of = shape(self.facts.word(*word), word.width)?;
                Some((self.word(*word, node.as_deref(), *checked)?, of))
            }
            _ => None,
        })
    }

    /// The shape that suits an expression best.
    pub fn shape_of(&self, term: &Term) -> Meaning<Shape> {
        if let Some((_, shape)) = self.place(term)? {
            return Ok(shape);
        }
        let compares = matches!(&term.kind, Kind::Binary(op, ..) if op.is_comparison());
        shape(&term.set, if compares { Width::BOOL } else { Width::I64 })
    }

    /// An expression in a shape.
    pub fn text(&self, term: &Term, want: Shape) -> Meaning<String> {
        match want {
            Shape::Bool => self.truth(term),
            Shape::Unit if term.set.iter().any(|it| matches!(it, Abs::At(..))) => Ok("0".into()),
            Shape::Num(..) | Shape::Unit => self.num(term),
            Shape::Ref(_) => self.node(term),
            Shape::Link => self.link(term),
            Shape::Owner => self.owner(term),
        }
    }

    fn owner(&self, term: &Term) -> Meaning<String> {
        match (term.number(), self.place(term)?) {
            (Some(0), _) => Ok("free".into()),
            (_, Some((name, Shape::Owner))) => Ok(name),
            _ => Err("a thread's number that is computed".into()),
        }
    }

    /// The number of the node that an address is in.
    pub fn node(&self, term: &Term) -> Meaning<String> {
        if term.number().is_some() {
            return Ok("null".into());
        }
        if let Some((name, shape)) = self.place(term)? {
            return match shape {
                Shape::Ref(_) => Ok(name),
                Shape::Link => Ok(format!("({name} / {})", self.factor)),
                _ => Err("a number that is used as an address".into()),
            };
        }
        let is_address = |term: &Term| term.set.iter().any(|it| matches!(it, Abs::Node(_)));
        match &term.kind {
            Kind::Binary(_, _, a, _) if is_address(a) => self.node(a),
            Kind::Binary(_, _, _, b) if is_address(b) => self.node(b),
            Kind::Select(c, a, b) => {
                Ok(format!("({} ? {} : {})", self.truth(c)?, self.node(a)?, self.node(b)?))
            }
            _ => Err("an address that is computed".into()),
        }
    }

    /// An address with its offset or tag bits.
    fn link(&self, term: &Term) -> Meaning<String> {
        if let Some(number) = term.number() {
            return Ok(number.to_string());
        }
        let all = lows(&term.set)?;
        if all.len() == 1 {
            let (node, low) = (self.node(term)?, all.first().expect("one"));
            return Ok(match low {
                0 => format!("{node} * {}", self.factor),
                low => format!("{node} * {} + {low}", self.factor),
            });
        }
        if let Some((name, Shape::Link)) = self.place(term)? {
            return Ok(name);
        }
        match &term.kind {
            Kind::Binary(BinaryOp::Or, _, a, b) if lows(&a.set)? == [0].into() => {
                Ok(format!("({} * {} + {})", self.node(a)?, self.factor, self.num(b)?))
            }
            Kind::Binary(op, width, a, b) if b.number().is_some() => {
                let link = self.link(a)?;
                let low = self.low_after(*op, *width, a, b)?;
                Ok(format!("({link} - {link} % {} + {low})", self.factor))
            }
            Kind::Select(c, a, b) => {
                Ok(format!("({} ? {} : {})", self.truth(c)?, self.link(a)?, self.link(b)?))
            }
            _ => Err("an address that is computed".into()),
        }
    }

    /// What an operation with a constant makes of the tag bits of an address.
    fn low_after(&self, op: BinaryOp, width: Width, a: &Term, b: &Term) -> Meaning<String> {
        let link = self.link(a)?;
        let mut out = String::new();
        let all = lows(&a.set)?;
        let stays = |low: &u64| binary(op, width, &Set::from([Abs::Node(*low)]), &b.set);
        if all.iter().all(|low| stays(low) == Ok(Set::from([Abs::Int((*low).into())]))) {
            return Ok(format!("({link} % {})", self.factor));
        }
        let last = all.len() - 1;
        for (number, low) in all.into_iter().enumerate() {
            let result = binary(op, width, &Set::from([Abs::Node(low)]), &b.set)?;
            let new = match result.first() {
                Some(Abs::Node(new)) => i128::from(*new),
                Some(Abs::Int(new)) => *new,
                _ => return Err("an address that is computed".into()),
            };
            match number == last {
                true => out += &new.to_string(),
                false => out += &format!("{link} % {} = {low} ? {new} : ", self.factor),
            }
        }
        Ok(format!("({out})"))
    }

    /// A number.
    pub fn num(&self, term: &Term) -> Meaning<String> {
        if let Some(number) = term.number() {
            return Ok(self.numbers.text(number));
        }
        if term.kind == Kind::Undef {
            return Err("the use of an undefined value".into());
        }
        if let Some((name, shape)) = self.place(term)? {
            return match shape {
                Shape::Bool => Ok(format!("({name} ? 1 : 0)")),
                Shape::Num(..) | Shape::Unit => Ok(name),
                _ => Err("an address that is used as a number".into()),
            };
        }
        match &term.kind {
            Kind::Binary(op, width, a, b) if !op.is_comparison() => {
                let tagged = a.set.iter().any(|it| matches!(it, Abs::Node(_)));
                if tagged && b.number().is_some() {
                    return self.low_after(*op, *width, a, b);
                }
                let sign = match op {
                    BinaryOp::Add => "+",
                    BinaryOp::Sub => "-",
                    BinaryOp::Mul => "*",
                    _ if is_truth(&a.set) && is_truth(&b.set) => {
                        return Ok(format!("({} ? 1 : 0)", self.truth(term)?));
                    }
                    _ => return Err(format!("`{}`", format!("{op:?}").to_lowercase())),
                };
                exact(*op, *width, &a.set, &b.set)?;
                Ok(format!("({} {sign} {})", self.num(a)?, self.num(b)?))
            }
            Kind::Binary(..) => Ok(format!("({} ? 1 : 0)", self.truth(term)?)),
            Kind::Select(c, a, b) => {
                Ok(format!("({} ? {} : {})", self.truth(c)?, self.num(a)?, self.num(b)?))
            }
            _ => Err("a value that is computed".into()),
        }
    }

    /// A truth value.
    pub fn truth(&self, term: &Term) -> Meaning<String> {
        if let Some(number) = term.number() {
            return Ok(if number == 0 { "false" } else { "true" }.into());
        }
        if let Some((name, Shape::Bool)) = self.place(term)? {
            return Ok(name);
        }
        match &term.kind {
            Kind::Binary(op, _, a, b) if op.is_comparison() => self.comparison(*op, a, b),
            Kind::Binary(op, _, a, b) if is_truth(&a.set) && is_truth(&b.set) => {
                let (a, b) = (self.truth(a)?, self.truth(b)?);
                match op {
                    BinaryOp::And => Ok(format!("({a} & {b})")),
                    BinaryOp::Or => Ok(format!("({a} | {b})")),
                    BinaryOp::Xor => Ok(format!("({a} != {b})")),
                    _ => Err("arithmetic with truth values".into()),
                }
            }
            Kind::Select(c, a, b) => {
                Ok(format!("({} ? {} : {})", self.truth(c)?, self.truth(a)?, self.truth(b)?))
            }
            _ => Ok(format!("({} != 0)", self.num(term)?)),
        }
    }

    fn comparison(&self, op: BinaryOp, a: &Term, b: &Term) -> Meaning<String> {
        let holds = |it: fn(&Abs) -> bool| a.set.iter().chain(&b.set).any(it);
        let equality = match op {
            BinaryOp::Eq => Some("="),
            BinaryOp::Ne => Some("!="),
            _ => None,
        };
        let Some(sign) = equality else { return self.order(op, a, b) };
        for (one, other) in [(a, b), (b, a)] {
            let is_truth = is_truth(&one.set) && self.shape_of(one)? == Shape::Bool;
            if let (true, Some(number)) = (is_truth, other.number()) {
                let one = self.truth(one)?;
                return Ok(match (number != 0) == (op == BinaryOp::Eq) {
                    true => one,
                    false => format!("!{one}"),
                });
            }
        }
        if self.shape_of(a)? == Shape::Bool && self.shape_of(b)? == Shape::Bool {
            return Ok(format!("({} {sign} {})", self.truth(a)?, self.truth(b)?));
        }
        let (a, b) = if holds(|it| matches!(it, Abs::Me)) {
            (self.owner(a)?, self.owner(b)?)
        } else if holds(|it| matches!(it, Abs::Node(_))) {
            let all = lows(&a.set.union(&b.set).copied().collect())?;
            match all.len() {
                1 => (self.node(a)?, self.node(b)?),
                _ => (self.link(a)?, self.link(b)?),
            }
        } else {
            (self.num(a)?, self.num(b)?)
        };
        Ok(format!("({a} {sign} {b})"))
    }

    fn order(&self, op: BinaryOp, a: &Term, b: &Term) -> Meaning<String> {
        let negative = |it: &Abs| matches!(it, Abs::Int(number) if *number < 0);
        let (sign, unsigned) = match op {
            BinaryOp::Slt => ("<", false),
            BinaryOp::Sle => ("<=", false),
            BinaryOp::Ult => ("<", true),
            BinaryOp::Ule => ("<=", true),
            _ => return Err("a comparison of floating-point numbers".into()),
        };
        if unsigned && a.set.iter().chain(&b.set).any(negative) {
            return Err("a comparison of very large unsigned numbers".into());
        }
        Ok(format!("({} {sign} {})", self.num(a)?, self.num(b)?))
    }
}

/// Whether an operation never wraps, and none of its numbers stands for its order only.
fn exact(op: BinaryOp, width: Width, a: &Set, b: &Set) -> Meaning<()> {
    for x in a {
        for y in b {
            let (Abs::Int(x), Abs::Int(y)) = (x, y) else {
                return Err("arithmetic with what is not a number".into());
            };
            let exact = match op {
                BinaryOp::Add => x + y,
                BinaryOp::Sub => x - y,
                _ => x * y,
            };
            let wrapped =
                binary(op, width, &Set::from([Abs::Int(*x)]), &Set::from([Abs::Int(*y)]))?;
            if !wrapped.contains(&Abs::Int(exact)) || [*x, *y, exact].into_iter().any(is_large) {
                return Err("arithmetic with very large numbers".into());
            }
        }
    }
    Ok(())
}
