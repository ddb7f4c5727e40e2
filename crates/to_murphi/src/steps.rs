//! Rules: the code from one access that other threads may notice to the next, executed with
//! expressions in the place of values.
//!
//! A rule begins at a cut and goes on, on every path, to the next one. Local is what no other thread
//! can notice: accesses to blocks that no other thread can know, and reads of words that never change
//! once other threads know them. Which these are depends on the rules, so rules are made until
//! nothing is learnt any more; what was learnt only grows.

use crate::Refused;
use crate::facts::Facts;
use crate::inline::Whole;
use crate::names::{bare, identifier, negated, quoted};
use crate::shape::{Numbers, Shape, shape};
use crate::term::{Kind, Term, Writer};
use crate::value::{Abs, Meaning, Word, int};

use ir::cfg::Liveness;
use ir::op::{Op, Operand, Terminator};
use ir::program::{BlockId, LocId, Program, Reg, Width};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Where a rule begins: a block, and an instruction of it.
pub type Cut = (BlockId, usize);

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub enum Stmt {
    Line(String),
    /// One that sets a variable of the rule, which need not be read.
    Unless(String, String),
    If(String, Vec<Stmt>, Vec<Stmt>),
}

/// When a rule is enabled.
#[derive(Clone, PartialEq, Debug)]
pub enum Guard {
    Always,
    Never,
    When(String),
    If(String, Box<Guard>, Box<Guard>),
    Both(Box<Guard>, Box<Guard>),
}

/// Some code with what enables it.
#[derive(Debug)]
pub struct Part {
    pub stmts: Vec<Stmt>,
    pub guard: Guard,
}

/// A rule.
#[derive(Debug)]
pub struct Rule {
    pub cut: Cut,
    pub part: Part,
    pub locals: Vec<(String, Shape)>,
    /// The part in which a weak compare-and-swap fails although it need not, if there is one.
    pub spurious: Option<(Part, Vec<(String, Shape)>)>,
}

/// What only one thread knows: a block, by who holds its address.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Root {
    Var(Reg),
    Local(String),
}

/// What is known wherever a cut is reached.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Known {
    /// The registers that hold the address of a block that no other thread knows.
    pub own: BTreeSet<Reg>,
    /// The registers that hold what need not be kept.
    pub stable: BTreeMap<Reg, Term>,
    /// The registers that hold, up to an offset, what another one does.
    pub equal: BTreeMap<Reg, Reg>,
    /// The registers that are defined.
    pub defined: BTreeSet<Reg>,
}

/// What all operations share.
#[derive(Default)]
pub struct Learnt {
    /// The words that change while other threads know them.
    pub changing: BTreeSet<Word>,
    /// Whether blocks are freed that other threads know.
    pub frees: bool,
    /// Whether blocks are freed at all, and whether any are allocated.
    pub any_free: bool,
    pub any_alloc: bool,
    pub grown: bool,
}

/// An execution of a part of an operation.
#[derive(Clone)]
pub struct Path {
    pub regs: BTreeMap<Reg, Term>,
    pub own: BTreeSet<Root>,
    /// What is in blocks that no other thread knows, as far as this rule has written it.
    pub contents: BTreeMap<(Root, Word), Term>,
    /// The words that this rule has written.
    pub stored: BTreeSet<Word>,
    /// Whether it has done what other threads may notice.
    pub turn: bool,
    /// Whether it has changed what other threads know.
    pub effect: bool,
    pub sections: u32,
    pub visited: BTreeSet<BlockId>,
    /// Whether it has left the block in which the rule begins.
    pub moved: bool,
    /// Conditions that hold.
    pub holds: Vec<String>,
    /// What comes first on this path.
    pub pending: Vec<Stmt>,
    pub guard: Vec<Guard>,
    pub observed: Vec<(String, Term)>,
}

/// What an operation that ends does, given what it has observed.
pub type Returns<'a> = dyn Fn(&Writer<'_>, &[(String, Term)]) -> Meaning<Vec<Stmt>> + 'a;

/// The rules of one operation in the making.
pub struct Maker<'a> {
    pub program: &'a Program,
    pub facts: &'a Facts,
    pub whole: &'a Whole,
    pub alive: &'a Liveness,
    pub at: usize,
    pub numbers: &'a Numbers,
    pub factor: u64,
    pub words: &'a BTreeMap<Word, String>,
    pub learnt: &'a mut Learnt,
    /// For each value that is chosen, what it is.
    pub arg: Option<(Reg, Term)>,
    pub known: BTreeMap<Cut, Known>,
    /// Blocks in which a cut is needed because local code iterates.
    pub loops: BTreeSet<BlockId>,
    pub vars: BTreeMap<Reg, String>,
    /// The registers that are variables, by cut.
    pub kept: BTreeMap<Cut, Vec<Reg>>,
    pub labels: BTreeMap<Cut, String>,
    /// The cuts that were found, in order.
    pub found: Vec<Cut>,
    /// The cuts that a rule can lead to without changing what other threads know.
    pub idle: BTreeSet<(Cut, Cut)>,
    /// The variables of the operations before, and the name of this one.
    pub others: &'a BTreeMap<String, Shape>,
    pub name: &'a str,
    /// What variables of rules must not be called.
    pub globals: &'a BTreeSet<String>,
    pub locals: Vec<(String, Shape)>,
    pub taken: BTreeSet<String>,
    pub from: Cut,
    pub spurious: bool,
    pub weak: bool,
    /// What an operation that ends does, given what it has observed.
    pub returns: &'a Returns<'a>,
}

impl Maker<'_> {
    pub fn writer(&self) -> Writer<'_> {
        Writer {
            facts: self.facts,
            at: self.at,
            regs: &self.whole.function.regs,
            numbers: self.numbers,
            factor: self.factor,
            vars: &self.vars,
            words: self.words,
            before: false,
        }
    }

    /// A new execution from a cut on.
    fn path(&self, cut: Cut) -> Path {
        let known = self.known.get(&cut).cloned().unwrap_or_default();
        let mut regs = known.stable;
        let kept = self.kept.get(&cut).into_iter().flatten().map(|reg| (*reg, *reg));
        for (reg, holder) in kept.chain(known.equal) {
            let mut set = self.facts.regs[self.at][reg].clone();
            if known.defined.contains(&reg) {
                set.remove(&Abs::Undef);
            }
            regs.insert(reg, Term { kind: Kind::Var(holder), set });
        }
        Path {
            regs,
            own: known.own.into_iter().map(Root::Var).collect(),
            contents: BTreeMap::new(),
            stored: BTreeSet::new(),
            turn: false,
            effect: false,
            sections: 0,
            visited: BTreeSet::new(),
            moved: false,
            holds: Vec::new(),
            pending: Vec::new(),
            guard: Vec::new(),
            observed: Vec::new(),
        }
    }

    /// The part from the beginning of the operation to its first cut.
    pub fn first(&mut self) -> Result<(Part, Vec<(String, Shape)>), Refused> {
        self.begin((self.whole.function.entry(), 0));
        let mut path = self.path(self.from);
        path.turn = true;
        if let Some((reg, term)) = self.arg.clone() {
            path.regs.insert(reg, term);
        }
        let part = self.run(path, self.from)?;
        Ok((part, std::mem::take(&mut self.locals)))
    }

    fn begin(&mut self, cut: Cut) {
        self.from = cut;
        self.locals.clear();
        self.taken = self.globals.clone();
    }

    /// The rule that begins at a cut.
    pub fn rule(&mut self, cut: Cut) -> Result<Rule, Refused> {
        self.begin(cut);
        (self.spurious, self.weak) = (false, false);
        let path = self.path(cut);
        let part = self.run(path.clone(), cut)?;
        let locals = std::mem::take(&mut self.locals);
        let mut spurious = None;
        if self.weak {
            self.begin(cut);
            self.spurious = true;
            let part = self.run(path, cut)?;
            spurious = Some((part, std::mem::take(&mut self.locals)));
            self.spurious = false;
        }
        Ok(Rule { cut, part, locals, spurious })
    }

    /// Executes from a place on, on all paths, to the next cuts.
    pub fn run(&mut self, mut path: Path, (block, first): Cut) -> Result<Part, Refused> {
        let mut out = std::mem::take(&mut path.pending);
        let mut at = (block, first);
        loop {
            let whole = self.whole;
            let code = &whole.function.blocks[at.0];
            let call = whole.origins[at.0].call;
            if !self.facts.reached[self.at][at.0] {
                let message = "an undefined value decides a branch";
                out.push(Stmt::Line(format!("error \"{message}\";")));
                return Ok(Part::new(out, path.guard));
            }
            if at.1 == 0 && path.moved && self.enters_loop(&mut path, at.0) {
                return self.cut(path, out, at);
            }
            while at.1 < code.insts.len() {
                let op = &code.insts[at.1].op;
                let place = call.or(code.insts[at.1].place);
                let noticed = self.is_noticed(&path, op, at).map_err(|e| Refused::at(e, place))?;
                if noticed && path.sections == 0 {
                    if path.turn {
                        return self.cut(path, out, at);
                    }
                    path.turn = true;
                }
                let went = self.inst(&mut path, &mut out, at);
                let went = went.map_err(|what| Refused::at(what, place))?;
                at.1 += 1;
                match went {
                    Went::On => {}
                    Went::Ends => return Ok(Part::new(out, path.guard)),
                    Went::Forks(cond, then, otherwise) => {
                        return self.fork(out, path.guard, (cond, *then, *otherwise), (at, at));
                    }
                }
            }
            let place = call.or(code.place);
            path.moved = true;
            match self.terminator(&mut path, &mut out, &code.terminator, at) {
                Ok(Next::To(next)) => at = (next, 0),
                Ok(Next::Ended) => return Ok(Part::new(out, path.guard)),
                Ok(Next::Forks(cond, then, otherwise)) => {
                    let guard = std::mem::take(&mut path.guard);
                    let mut taken = path.clone();
                    taken.holds.push(cond.clone());
                    path.holds.push(negated(&cond));
                    let both = (cond, taken, path);
                    return self.fork(out, guard, both, ((then, 0), (otherwise, 0)));
                }
                Err(what) => return Err(Refused::at(what, place)),
            }
        }
    }

    /// Whether a block is the head of a loop of local code, in which there must be a cut.
    fn enters_loop(&mut self, path: &mut Path, block: BlockId) -> bool {
        if self.loops.contains(&block) && path.sections == 0 {
            return true;
        }
        if !path.visited.insert(block) {
            self.loops.insert(block);
            self.learnt.grown = true;
            return true;
        }
        false
    }

    fn fork(
        &mut self,
        mut out: Vec<Stmt>,
        guard: Vec<Guard>,
        (cond, mut then, mut otherwise): (String, Path, Path),
        (first, second): (Cut, Cut),
    ) -> Result<Part, Refused> {
        (then.guard, otherwise.guard) = (Vec::new(), Vec::new());
        let names = self.taken.clone();
        let then = self.run(then, first)?;
        // Both arms may use the same names, but not for different types.
        self.taken = names.union(&self.taken).cloned().collect();
        let otherwise = self.run(otherwise, second)?;
        let both = Guard::If(cond.clone(), Box::new(then.guard), Box::new(otherwise.guard));
        let guard = guard.into_iter().chain([both.simple()]).collect();
        match then.stmts == otherwise.stmts {
            true => out.extend(then.stmts),
            false => out.push(Stmt::If(cond, then.stmts, otherwise.stmts)),
        }
        Ok(Part::new(out, guard))
    }

    /// What a terminator does.
    fn terminator(
        &mut self,
        path: &mut Path,
        out: &mut Vec<Stmt>,
        end: &Terminator,
        at: Cut,
    ) -> Meaning<Next> {
        Ok(match end {
            Terminator::Jump(next) => Next::To(*next),
            Terminator::Branch { cond, then, otherwise } => {
                let cond = self.operand(path, cond)?;
                match cond.number() {
                    Some(0) => Next::To(*otherwise),
                    Some(_) => Next::To(*then),
                    None => {
                        let text = self.writer().truth(&cond)?;
                        match (path.holds.contains(&text), path.holds.contains(&negated(&text))) {
                            (true, _) => Next::To(*then),
                            (_, true) => Next::To(*otherwise),
                            _ => Next::Forks(text, *then, *otherwise),
                        }
                    }
                }
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.operand(path, value)?;
                let Some(number) = value.number() else {
                    return Err("a switch over what is not known".into());
                };
                let number = number as u128 & Width::I64.mask();
                let of = cases.iter().find(|case| (case.low..=case.high).contains(&number));
                Next::To(of.map_or(*default, |case| case.target))
            }
            Terminator::Return(_) if at.0 == self.whole.end => {
                let (from, observed) = (self.from, std::mem::take(&mut path.observed));
                let mut stmts = (self.returns)(&self.writer(), &observed)?;
                out.append(&mut stmts);
                for reg in self.kept.get(&from).into_iter().flatten() {
                    out.push(Stmt::Line(format!("undefine th[t].{};", self.vars[reg])));
                }
                out.push(Stmt::Line("th[t].pc := idle;".into()));
                Next::Ended
            }
            Terminator::Trap(message) => {
                out.push(Stmt::Line(format!("error \"{}\";", quoted(message))));
                Next::Ended
            }
            _ => return Err("an operation that ends its thread or the program".into()),
        })
    }

    /// The rule ends here: what is read later is kept, and the rest forgotten.
    fn cut(&mut self, path: Path, mut out: Vec<Stmt>, at: Cut) -> Result<Part, Refused> {
        let regs = self.whole.function.regs.ids();
        let alive: Vec<Reg> = regs.filter(|reg| self.alive.is_alive(at.0, at.1, *reg)).collect();
        let place = self.place_of(at);
        let known = self.known_of(&path, &alive).map_err(|what| Refused::at(what, place))?;
        self.reach(at, known);
        let kept = self.kept_at(at, &alive).map_err(|what| Refused::at(what, place))?;
        let stmts = self.keep(&path, &kept).map_err(|what| Refused::at(what, place))?;
        out.extend(stmts);
        for reg in self.kept.get(&self.from).into_iter().flatten() {
            if !kept.contains(reg) {
                out.push(Stmt::Line(format!("undefine th[t].{};", self.vars[reg])));
            }
        }
        self.kept.insert(at, kept);
        if !self.found.contains(&at) {
            self.found.push(at);
        }
        if !path.effect {
            self.idle.insert((self.from, at));
        }
        let label = self.label(at);
        if at != self.from {
            out.push(Stmt::Line(format!("th[t].pc := {label};")));
        }
        Ok(Part::new(out, path.guard))
    }

    fn known_of(&self, path: &Path, alive: &[Reg]) -> Meaning<Known> {
        let mut known = Known::default();
        let mut held: Vec<(Reg, Term)> = Vec::new();
        // Where registers hold the same, one that has a name is kept.
        let is_unnamed = |reg: &Reg| self.whole.function.regs[*reg].name.is_none();
        let mut alive = alive.to_vec();
        alive.sort_by_key(|reg| (is_unnamed(reg), *reg));
        for reg in alive {
            let term = path.regs.get(&reg).cloned().unwrap_or_else(Term::undef);
            if !term.set.contains(&Abs::Undef) {
                known.defined.insert(reg);
            }
            if root(&term).is_some_and(|root| path.own.contains(&root)) {
                known.own.insert(reg);
            }
            if matches!(term.kind, Kind::Const | Kind::Arg | Kind::Me | Kind::Undef) {
                known.stable.insert(reg, term);
                continue;
            }
            let shape = self.variable_shape(reg)?;
            let same = held.iter().find(|(other, own)| {
                let other = self.variable_shape(*other);
                own.kind == term.kind && other.is_ok_and(|other| other.joined(shape).is_some())
            });
            match same {
                Some((other, _)) => {
                    known.equal.insert(reg, *other);
                }
                None => held.push((reg, term)),
            }
        }
        Ok(known)
    }

    /// What is known at a cut is known on all ways to it.
    fn reach(&mut self, cut: Cut, known: Known) {
        let Some(old) = self.known.get_mut(&cut) else {
            self.known.insert(cut, known);
            self.learnt.grown = true;
            return;
        };
        let before = old.clone();
        old.own.retain(|reg| known.own.contains(reg));
        old.stable.retain(|reg, term| known.stable.get(reg) == Some(term));
        old.equal.retain(|reg, other| known.equal.get(reg) == Some(other));
        old.defined.retain(|reg| known.defined.contains(reg));
        self.learnt.grown |= *old != before;
    }

    /// The registers that are variables at a cut.
    fn kept_at(&mut self, cut: Cut, alive: &[Reg]) -> Meaning<Vec<Reg>> {
        let Known { stable, equal, .. } = &self.known[&cut];
        let mut kept = Vec::new();
        let needed = |reg: &&Reg| !stable.contains_key(*reg) && !equal.contains_key(*reg);
        for &reg in alive.iter().filter(needed) {
            let set = &self.facts.regs[self.at][reg];
            let width = self.whole.function.regs[reg].width;
            if shape(set, width)? != Shape::Unit || set.contains(&Abs::Undef) {
                kept.push(reg);
            }
        }
        for &reg in &kept {
            self.name_of(reg)?;
        }
        Ok(kept)
    }

    /// Names the variable of a register.
    fn name_of(&mut self, reg: Reg) -> Meaning<()> {
        if self.vars.contains_key(&reg) {
            return Ok(());
        }
        let own = self.variable_shape(reg)?;
        let wanted = self.whole.function.regs[reg].name.clone().unwrap_or_else(|| "it".into());
        let wanted = identifier(&wanted);
        let taken = |name: &String| {
            let other = self.others.get(name);
            self.vars.values().any(|other| other == name)
                || ["pc", "op", "arg"].contains(&name.as_str())
                || other.is_some_and(|other| other.joined(own).is_none())
        };
        let numbered = (2..).map(|number| format!("{wanted}_{number}"));
        let mut all = std::iter::once(wanted.clone()).chain(numbered);
        let name = all.find(|name| !taken(name)).expect("there is no end of names");
        self.vars.insert(reg, name);
        Ok(())
    }

    /// The shape of the variable of a register.
    pub fn variable_shape(&self, reg: Reg) -> Meaning<Shape> {
        let set = &self.facts.regs[self.at][reg];
        let width = self.whole.function.regs[reg].width;
        Ok(match (shape(set, width)?, set.last()) {
            (Shape::Unit, Some(Abs::Int(number))) => Shape::Num(*number, *number),
            (Shape::Unit, _) => Shape::Num(0, 0),
            (shape, _) => shape,
        })
    }

    /// Assigns the variables of a cut, all at once.
    fn keep(&mut self, path: &Path, kept: &[Reg]) -> Meaning<Vec<Stmt>> {
        let mut open: Vec<(Reg, Term, Shape)> = Vec::new();
        for &reg in kept {
            let term = path.regs.get(&reg).cloned().unwrap_or_else(Term::undef);
            if term.kind != Kind::Var(reg) {
                open.push((reg, term, self.variable_shape(reg)?));
            }
        }
        let mut out = Vec::new();
        while !open.is_empty() {
            let read = |reg: Reg| {
                move |(other, term, _): &(Reg, Term, Shape)| *other != reg && reads(term, reg)
            };
            let free = open.iter().position(|(reg, ..)| !open.iter().any(read(*reg)));
            let (reg, term, shape) = match free {
                Some(at) => open.remove(at),
                None => {
                    // They go in a circle: one waits in a variable of the rule.
                    let (reg, term, shape) = open.remove(0);
                    let name = self.local("old", shape);
                    let var = format!("th[t].{}", self.vars[&reg]);
                    out.push(Stmt::Line(format!("{name} := {var};")));
                    let kind = Kind::Local(name, shape, None);
                    let old = Term { kind, set: term.set.clone() };
                    for (_, other, _) in &mut open {
                        *other = replaced(other, reg, &old);
                    }
                    (reg, term, shape)
                }
            };
            let var = format!("th[t].{}", self.vars[&reg]);
            out.push(self.assign(&var, &term, shape)?);
        }
        Ok(out)
    }

    /// Assigns a term, which may be undefined.
    pub fn assign(&self, to: &str, term: &Term, shape: Shape) -> Meaning<Stmt> {
        if term.kind == Kind::Undef {
            return Ok(Stmt::Line(format!("undefine {to};")));
        }
        let text = self.writer().text(term, shape)?;
        let line = Stmt::Line(format!("{to} := {};", bare(&text)));
        Ok(match (&term.kind, term.set.contains(&Abs::Undef)) {
            (Kind::Var(_), true) => Stmt::If(
                format!("isundefined({text})"),
                vec![Stmt::Line(format!("undefine {to};"))],
                vec![line],
            ),
            _ => line,
        })
    }

    /// A new variable of the rule.
    pub fn local(&mut self, wanted: &str, shape: Shape) -> String {
        let wanted = identifier(wanted);
        let wanted = if wanted == "t" { "t_".into() } else { wanted };
        let numbered = (2..).map(|number| format!("{wanted}_{number}"));
        let mut all = std::iter::once(wanted.clone()).chain(numbered);
        let name = all.find(|name| !self.taken.contains(name)).expect("names do not end");
        self.taken.insert(name.clone());
        self.locals.push((name.clone(), shape));
        name
    }

    /// The label of a cut.
    pub fn label(&mut self, cut: Cut) -> String {
        if let Some(label) = self.labels.get(&cut) {
            return label.clone();
        }
        let line = self.place_of(cut).map_or(0, |place| self.program.places[place].location.line);
        let name = &self.whole.origins[cut.0].name;
        let wanted = match name == self.name {
            true => format!("{name}_{line}"),
            false => format!("{}_{name}_{line}", self.name),
        };
        let wanted = identifier(&wanted);
        let letters = ('b'..='z').map(|letter| format!("{wanted}{letter}"));
        let numbers = (2..).map(|number| format!("{wanted}_{number}"));
        let taken = |label: &String| self.labels.values().any(|other| other == label);
        let mut all = std::iter::once(wanted.clone()).chain(letters).chain(numbers);
        let label = all.find(|label| !taken(label)).expect("labels do not end");
        self.labels.insert(cut, label.clone());
        label
    }

    /// The user's place of a cut.
    pub fn place_of(&self, cut: Cut) -> Option<LocId> {
        let block = &self.whole.function.blocks[cut.0];
        let own = block.insts[cut.1..].iter().find_map(|inst| inst.place).or(block.place);
        self.whole.origins[cut.0].call.or(own)
    }

    /// What an operand is.
    pub fn operand(&self, path: &Path, operand: &Operand) -> Meaning<Term> {
        Ok(match operand {
            Operand::Reg(reg) => path.regs.get(reg).cloned().unwrap_or_else(Term::undef),
            Operand::Int { width, bits } => Term { kind: Kind::Const, set: int(*width, *bits) },
            Operand::Global(global, offset) => Term::constant(Abs::At(*global, *offset)),
            Operand::Undef(_) => Term::undef(),
            Operand::Slot(..) => return Err("a local variable that is used by its address".into()),
            Operand::Function(_) => return Err("the address of a function".into()),
        })
    }

    pub fn width(&self, operand: &Operand) -> Width {
        match operand {
            Operand::Reg(reg) => self.whole.function.regs[*reg].width,
            Operand::Int { width, .. } | Operand::Undef(width) => *width,
            _ => Width::PTR,
        }
    }

    /// Whether a register is read where control is, or later.
    pub fn is_read(&self, at: Cut, reg: Reg) -> bool {
        self.alive.is_alive(at.0, at.1, reg)
    }

    /// Whether all that becomes of a register is done in the rest of its block, in any case.
    pub fn is_used_at_once(&self, (block, at): Cut, reg: Reg) -> bool {
        let code = &self.whole.function.blocks[block];
        let end = code.insts.len();
        if self.is_alive_after(block, reg) {
            return false;
        }
        let is_used = |operands: Vec<&Operand>| operands.contains(&&Operand::Reg(reg));
        let mut used = is_used(code.terminator.operands());
        for (later, inst) in code.insts.iter().enumerate().take(end).skip(at + 1) {
            if !is_used(inst.op.operands()) {
                continue;
            }
            used = true;
            let pure = matches!(
                inst.op,
                Op::Copy { .. } | Op::Unary { .. } | Op::Binary { .. } | Op::Cast { .. }
            );
            let results = inst.op.results();
            if !pure || !results.iter().all(|dst| self.is_used_at_once((block, later), *dst)) {
                return false;
            }
        }
        used
    }

    fn is_alive_after(&self, block: BlockId, reg: Reg) -> bool {
        let next = self.whole.function.blocks[block].terminator.successors();
        next.into_iter().any(|next| self.alive.is_alive(next, 0, reg))
    }
}

/// What an instruction does to the path.
pub enum Went {
    On,
    Ends,
    /// A condition with the paths on which it holds and does not hold.
    Forks(String, Box<Path>, Box<Path>),
}

enum Next {
    To(BlockId),
    Ended,
    Forks(String, BlockId, BlockId),
}

impl Part {
    fn new(stmts: Vec<Stmt>, guard: Vec<Guard>) -> Part {
        let both = |a: Guard, b: Guard| match (a, b) {
            (Guard::Always, other) | (other, Guard::Always) => other,
            (a, b) => Guard::Both(Box::new(a), Box::new(b)),
        };
        Part { stmts, guard: guard.into_iter().fold(Guard::Always, both) }
    }
}

impl Guard {
    fn simple(self) -> Guard {
        match self {
            Guard::If(_, a, b) if a == b => *a,
            other => other,
        }
    }
}

/// What holds the address of a block that a term is an address in.
pub fn root(term: &Term) -> Option<Root> {
    match &term.kind {
        Kind::Var(reg) => Some(Root::Var(*reg)),
        Kind::Local(name, ..) => Some(Root::Local(name.clone())),
        _ => None,
    }
}

/// The blocks that a value may be an address in, as far as this thread has them.
pub fn roots(term: &Term) -> Vec<Root> {
    match &term.kind {
        Kind::Binary(_, _, a, b) => [roots(a), roots(b)].concat(),
        Kind::Select(_, a, b) => [roots(a), roots(b)].concat(),
        _ => root(term).into_iter().collect(),
    }
}

fn reads(term: &Term, reg: Reg) -> bool {
    match &term.kind {
        Kind::Var(own) => *own == reg,
        Kind::Word { node, .. } => node.as_ref().is_some_and(|node| reads(node, reg)),
        Kind::Binary(_, _, a, b) => reads(a, reg) || reads(b, reg),
        Kind::Select(c, a, b) => [c, a, b].into_iter().any(|it| reads(it, reg)),
        _ => false,
    }
}

fn replaced(term: &Term, reg: Reg, by: &Term) -> Term {
    let other = |term: &Rc<Term>| Rc::new(replaced(term, reg, by));
    let kind = match &term.kind {
        Kind::Var(own) if *own == reg => by.kind.clone(),
        Kind::Word { word, node, checked, after } => Kind::Word {
            word: *word,
            node: node.as_ref().map(other),
            checked: *checked,
            after: *after,
        },
        Kind::Binary(op, width, a, b) => Kind::Binary(*op, *width, other(a), other(b)),
        Kind::Select(c, a, b) => Kind::Select(other(c), other(a), other(b)),
        same => same.clone(),
    };
    Term { kind, set: term.set.clone() }
}
