//! What instructions become: accesses to memory, allocation, assumptions, assertions.

use crate::facts::{updated, words};
use crate::names::{bare, quoted};
use crate::shape::{Shape, shape};
use crate::steps::{Cut, Guard, Maker, Path, Root, Stmt, Went, root, roots};
use crate::term::{Kind, Term, Writer};
use crate::value::{Abs, Home, Meaning, Word};
use ir::locks::LockView;
use ir::op::{Access, BinaryOp, Op, RmwOp};
use ir::program::{Reg, Storage, Width};
use std::rc::Rc;

/// A word that is accessed, with the address where it is in a node.
struct Place {
    word: Word,
    node: Option<Term>,
}

impl Maker<'_> {
    fn place(&self, path: &Path, access: &Access) -> Meaning<Place> {
        let address = self.operand(path, &access.address)?;
        let all = words(&address.set, access.width)?;
        let [word] = all[..] else {
            return Err(match all.is_empty() {
                true => "an access that is never right".into(),
                false => "an access through a pointer into several places".into(),
            });
        };
        let node = (word.home == Home::Heap).then_some(address);
        Ok(Place { word, node })
    }

    /// Whether no other thread knows a place.
    fn is_own(&self, path: &Path, place: &Place) -> bool {
        let root = place.node.as_ref().and_then(root);
        root.is_some_and(|root| path.own.contains(&root))
    }

    /// Whether a word has one value only.
    fn fixed(&self, word: Word) -> Option<Term> {
        let value = self.facts.word(word).first().filter(|_| self.facts.is_fixed(word));
        value.map(|value| Term::constant(*value))
    }

    /// A word that holds one value, or nothing, is not read in expressions: whether its block is
    /// there and whether it was written is asked where it is accessed. Whether it never is.
    fn ask_for(&self, path: &Path, out: &mut Vec<Stmt>, place: &Place) -> Meaning<bool> {
        let set = self.facts.word(place.word);
        if self.fixed(place.word).is_some() || shape(set, place.word.width)? != Shape::Unit {
            return Ok(false);
        }
        if set.is_empty() {
            out.push(Stmt::Line("error \"a word that is never written is read\";".into()));
            return Ok(true);
        }
        let own = self.is_own(path, place);
        let text = self.writer().word(place.word, place.node.as_ref(), !own)?;
        let message = "a word that is not written yet is read";
        out.push(Stmt::Line(format!("assert !isundefined({text}) \"{message}\";")));
        Ok(false)
    }

    /// Whether other threads may notice an instruction, or change what it does.
    pub fn is_noticed(&self, path: &Path, op: &Op, at: Cut) -> Meaning<bool> {
        Ok(match op {
            Op::AtomicBegin => true,
            Op::Free { address } => {
                let address = self.operand(path, address)?;
                let is_null = address.number().is_some();
                !is_null && !root(&address).is_some_and(|root| path.own.contains(&root))
            }
            Op::Load { access, .. } => {
                let place = self.place(path, access)?;
                let recognised = access.purpose.is_mutex_word()
                    && self.whole.origins[at.0].view == LockView::OwnHolderOnly;
                let constant = match place.word.home {
                    Home::Global(global) => {
                        self.program.globals[global].storage == Storage::Constant
                            || !self.learnt.changing.contains(&place.word)
                    }
                    Home::Heap => !self.learnt.frees && !self.learnt.changing.contains(&place.word),
                };
                let fixed = self.fixed(place.word).is_some();
                !(recognised || constant || fixed || self.is_own(path, &place))
            }
            Op::Store { access, .. } | Op::Rmw { access, .. } | Op::Cas { access, .. } => {
                let place = self.place(path, access)?;
                !(self.fixed(place.word).is_some() || self.is_own(path, &place))
            }
            _ => false,
        })
    }

    /// Executes an instruction.
    pub fn inst(&mut self, path: &mut Path, out: &mut Vec<Stmt>, at: Cut) -> Meaning<Went> {
        let whole = self.whole;
        let inst = &whole.function.blocks[at.0].insts[at.1];
        let pure = match &inst.op {
            Op::Copy { dst, src } => Some((*dst, self.operand(path, src)?)),
            Op::Unary { dst, op, a, .. } => {
                Some((*dst, Term::unary(*op, self.width(a), &self.operand(path, a)?)?))
            }
            Op::Binary { dst, op, a, b, .. } => {
                let (x, y) = (self.operand(path, a)?, self.operand(path, b)?);
                Some((*dst, Term::binary(*op, self.width(a), &x, &y)?))
            }
            Op::Cast { dst, op, a } => {
                let to = self.whole.function.regs[*dst].width;
                Some((*dst, Term::cast(*op, self.width(a), to, &self.operand(path, a)?)?))
            }
            Op::Select { dst, cond, a, b } => {
                let cond = self.operand(path, cond)?;
                let (a, b) = (self.operand(path, a)?, self.operand(path, b)?);
                Some((*dst, Term::select(&cond, &a, &b)))
            }
            Op::Self_ { dst } => Some((*dst, Term { kind: Kind::Me, set: [Abs::Me].into() })),
            _ => None,
        };
        if let Some((dst, term)) = pure {
            path.regs.insert(dst, term);
            return Ok(Went::On);
        }
        match &inst.op {
            Op::Load { dst, access, .. } => self.load(path, out, at, (*dst, access)),
            Op::Store { access, value } => {
                let place = self.place(path, access)?;
                let value = self.operand(path, value)?;
                self.store(path, out, &place, &value)?;
                Ok(Went::On)
            }
            Op::Rmw { .. } => self.update(path, out, at, &inst.op),
            Op::Cas { .. } => self.swap(path, out, at, &inst.op),
            Op::Alloc { dst, .. } => {
                self.alloc(path, out, *dst);
                Ok(Went::On)
            }
            Op::Free { address } => {
                let address = self.operand(path, address)?;
                self.free(path, out, &address)
            }
            Op::AtomicBegin => {
                path.sections += 1;
                Ok(Went::On)
            }
            Op::AtomicEnd => {
                path.sections -= 1;
                Ok(Went::On)
            }
            Op::Assume { cond, .. } => {
                let cond = self.operand(path, cond)?;
                self.assume(path, &cond)
            }
            Op::Assert { cond, claim, message } => {
                let cond = self.operand(path, cond)?;
                let kind = claim.name().to_string() + ": ";
                self.assert(out, &cond, &(kind + message))
            }
            Op::Bound { index, length } => {
                let index = self.operand(path, index)?;
                let length = Term::constant(Abs::Int((*length).into()));
                let inside = Term::binary(BinaryOp::Ult, Width::I64, &index, &length)?;
                self.assert(out, &inside, "an array ends before this element")
            }
            Op::Observe { label, value } => {
                let value = self.operand(path, value)?;
                path.observed.push((label.clone(), value));
                Ok(Went::On)
            }
            // What is chosen is known from the start.
            Op::Choose { .. } => Ok(Went::On),
            _ => Ok(Went::On),
        }
    }

    fn load(
        &mut self,
        path: &mut Path,
        out: &mut Vec<Stmt>,
        at: Cut,
        (dst, access): (Reg, &Access),
    ) -> Meaning<Went> {
        let place = self.place(path, access)?;
        if let Some(fixed) = self.fixed(place.word) {
            path.regs.insert(dst, fixed);
            return Ok(Went::On);
        }
        let own = place.node.as_ref().and_then(root).filter(|root| path.own.contains(root));
        if let Some(own) = &own {
            let known = path.contents.get(&(own.clone(), place.word)).cloned();
            let fresh = matches!(own, Root::Local(_)).then(Term::undef);
            if let Some(term) = known.or(fresh) {
                path.regs.insert(dst, term);
                return Ok(Went::On);
            }
        }
        if self.ask_for(path, out, &place)? {
            return Ok(Went::Ends);
        }
        let term = self.word(path, &place);
        let term = match self.is_used_at_once(at, dst) || term.is_constant() {
            true => term,
            false => {
                let name = self.whole.function.regs[dst].name.clone();
                let name = name.unwrap_or_else(|| last_part(&self.words[&place.word]));
                self.materialised(path, out, &name, term, false)?
            }
        };
        path.regs.insert(dst, term);
        Ok(Went::On)
    }

    /// A word of memory as it is now.
    fn word(&self, path: &Path, place: &Place) -> Term {
        let kind = Kind::Word {
            word: place.word,
            node: place.node.clone().map(Rc::new),
            checked: !self.is_own(path, place),
            after: path.stored.contains(&place.word),
        };
        Term { kind, set: self.facts.word(place.word).clone() }.folded()
    }

    /// A term whose value now is kept in a variable of the rule.
    fn materialised(
        &mut self,
        path: &Path,
        out: &mut Vec<Stmt>,
        name: &str,
        term: Term,
        may_be_unused: bool,
    ) -> Meaning<Term> {
        let shape = self.writer().shape_of(&term)?;
        let name = self.local(name, shape);
        let text = self.writer().text(&term, shape)?;
        let line = format!("{name} := {};", bare(&text));
        out.push(match may_be_unused {
            true => Stmt::Unless(name.clone(), line),
            false => Stmt::Line(line),
        });
        let mentions_new = path.own.iter().any(|root| matches!(root, Root::Local(_)));
        let origin = (!mentions_new).then(|| Rc::new(term.clone()));
        Ok(Term { kind: Kind::Local(name, shape, origin), set: term.set })
    }

    /// Everything that was read of a word and not yet used is read before the word changes.
    fn settle(&mut self, path: &mut Path, out: &mut Vec<Stmt>, word: Word) -> Meaning<()> {
        let regs: Vec<Reg> = path.regs.keys().copied().collect();
        for reg in regs {
            let term = path.regs[&reg].clone();
            if term.mentions(word) {
                let name = self.whole.function.regs[reg].name.clone();
                let name = name.unwrap_or_else(|| last_part(&self.words[&word]));
                let term = self.materialised(path, out, &name, term, true)?;
                path.regs.insert(reg, term);
            }
        }
        path.contents.retain(|_, term| !term.mentions(word));
        Ok(())
    }

    /// Conditions on memory need not hold any more.
    fn forget_conditions(&self, path: &mut Path) {
        path.holds.retain(|cond| {
            let mut names = self.globals.iter().filter(|name| *name != "t");
            !cond.contains("heap[") && !names.any(|name| cond.contains(name.as_str()))
        });
    }

    fn store(
        &mut self,
        path: &mut Path,
        out: &mut Vec<Stmt>,
        place: &Place,
        value: &Term,
    ) -> Meaning<()> {
        if self.fixed(place.word).is_some() {
            return Ok(());
        }
        self.settle(path, out, place.word)?;
        let own = self.is_own(path, place);
        let to = self.writer().word(place.word, place.node.as_ref(), !own)?;
        let shape = shape(self.facts.word(place.word), place.word.width)?;
        out.push(self.assign(&to, value, shape)?);
        path.stored.insert(place.word);
        path.effect |= !own;
        self.forget_conditions(path);
        if !own && self.learnt.changing.insert(place.word) {
            self.learnt.grown = true;
        }
        if let (true, Some(root)) = (own, place.node.as_ref().and_then(root)) {
            path.contents.retain(|(of, word), _| *word != place.word || *of == root);
            path.contents.insert((root, place.word), value.clone());
        }
        publish(path, value);
        Ok(())
    }

    fn update(&mut self, path: &mut Path, out: &mut Vec<Stmt>, at: Cut, op: &Op) -> Meaning<Went> {
        let Op::Rmw { dst, op, access, value } = op else { return Ok(Went::On) };
        let place = self.place(path, access)?;
        let by = self.operand(path, value)?;
        if self.ask_for(path, out, &place)? {
            return Ok(Went::Ends);
        }
        let old = self.word(path, &place);
        let new = match op {
            RmwOp::Exchange => by.clone(),
            _ => {
                let set = updated(*op, access.width, &old.set, &by.set)?;
                let binary = match op {
                    RmwOp::Add => BinaryOp::Add,
                    RmwOp::Sub => BinaryOp::Sub,
                    RmwOp::And => BinaryOp::And,
                    RmwOp::Or => BinaryOp::Or,
                    _ => BinaryOp::Xor,
                };
                Term { set, ..Term::binary(binary, access.width, &old, &by)? }
            }
        };
        if let Some(dst) = dst {
            path.regs.remove(dst);
            if self.is_read((at.0, at.1 + 1), *dst) {
                path.regs.insert(*dst, old);
            }
        }
        self.store(path, out, &place, &new)?;
        Ok(Went::On)
    }

    fn swap(&mut self, path: &mut Path, out: &mut Vec<Stmt>, at: Cut, op: &Op) -> Meaning<Went> {
        let Op::Cas { dst, success, access, expected, desired, weak, .. } = op else {
            return Ok(Went::On);
        };
        let place = self.place(path, access)?;
        let (expected, desired) = (self.operand(path, expected)?, self.operand(path, desired)?);
        if self.ask_for(path, out, &place)? {
            return Ok(Went::Ends);
        }
        let old = self.word(path, &place);
        let same = Term::binary(BinaryOp::Eq, access.width, &old, &expected)?;
        let next = (at.0, at.1 + 1);
        let wanted = dst.filter(|dst| self.is_read(next, *dst));
        let mut fails = path.clone();
        if let Some(success) = success {
            path.regs.insert(*success, Term::constant(Abs::Int(1)));
            fails.regs.insert(*success, Term::constant(Abs::Int(0)));
        }
        for path in [&mut *path, &mut fails] {
            if let Some(dst) = dst {
                path.regs.remove(dst);
            }
        }
        let cond = self.writer().truth(&same)?;
        self.weak |= *weak && path.sections == 0;
        if self.spurious && *weak {
            path.clone_from(&fails);
            path.guard.push(Guard::When(cond));
            if let Some(dst) = wanted {
                path.regs.insert(dst, expected);
            }
            return Ok(Went::On);
        }
        // What each path does at once stands before its own code.
        let mut swapped = Vec::new();
        self.store(path, &mut swapped, &place, &desired)?;
        let mut failed = Vec::new();
        if let Some(dst) = wanted {
            path.regs.insert(dst, expected);
            let old = self.materialised(&fails, &mut failed, "found", old, true)?;
            fails.regs.insert(dst, old);
        }
        let number = same.number();
        if number == Some(1) {
            out.append(&mut swapped);
            return Ok(Went::On);
        }
        if number == Some(0) {
            out.append(&mut failed);
            *path = fails;
            return Ok(Went::On);
        }
        path.pending = swapped;
        fails.pending = failed;
        Ok(Went::Forks(cond, Box::new(path.clone()), Box::new(fails)))
    }

    fn alloc(&mut self, path: &mut Path, out: &mut Vec<Stmt>, dst: Reg) {
        self.learnt.any_alloc = true;
        let name = self.whole.function.regs[dst].name.clone().unwrap_or_else(|| "new".into());
        let name = self.local(&name, Shape::Ref(0));
        out.push(Stmt::Line(format!("{name} := unused();")));
        out.push(Stmt::Line(format!("heap[{name}].is := present;")));
        path.own.insert(Root::Local(name.clone()));
        let kind = Kind::Local(name, Shape::Ref(0), None);
        path.regs.insert(dst, Term { kind, set: [Abs::Node(0)].into() });
    }

    fn free(&mut self, path: &mut Path, out: &mut Vec<Stmt>, address: &Term) -> Meaning<Went> {
        if address.number().is_some() {
            return Ok(Went::On);
        }
        let own = root(address).filter(|root| path.own.contains(root));
        match own {
            Some(_) => publish(path, address),
            None => {
                self.learnt.grown |= !self.learnt.frees;
                self.learnt.frees = true;
            }
        }
        self.learnt.any_free = true;
        path.effect = true;
        let words: Vec<Word> = self.words.keys().copied().collect();
        for word in words.into_iter().filter(|word| word.home == Home::Heap) {
            self.settle(path, out, word)?;
            path.stored.insert(word);
        }
        self.forget_conditions(path);
        let text = self.writer().node(address)?;
        let line = Stmt::Line(format!("release({text});"));
        out.push(match address.set.contains(&Abs::Int(0)) {
            true => Stmt::If(format!("{text} != null"), vec![line], Vec::new()),
            false => line,
        });
        Ok(Went::On)
    }

    /// The thread waits until a condition holds, as it is before the rule.
    fn assume(&mut self, path: &mut Path, cond: &Term) -> Meaning<Went> {
        match cond.number() {
            Some(0) => {
                path.guard.push(Guard::Never);
                return Ok(Went::Ends);
            }
            Some(_) => return Ok(Went::On),
            None => {}
        }
        let writer = Writer { before: true, ..self.writer() };
        let text = writer.truth(cond)?;
        path.guard.push(Guard::When(text));
        Ok(Went::On)
    }

    fn assert(&mut self, out: &mut Vec<Stmt>, cond: &Term, message: &str) -> Meaning<Went> {
        let message = quoted(message);
        match cond.number() {
            Some(0) => {
                out.push(Stmt::Line(format!("error \"{message}\";")));
                return Ok(Went::Ends);
            }
            Some(_) => {}
            None => {
                let text = self.writer().truth(cond)?;
                out.push(Stmt::Line(format!("assert {} \"{message}\";", bare(&text))));
            }
        }
        Ok(Went::On)
    }
}

/// Other threads may know what is stored. Registers that were kept may hold the same address.
fn publish(path: &mut Path, value: &Term) {
    for root in roots(value) {
        let is_var = |root: &Root| matches!(root, Root::Var(_));
        let same = |other: &Root| *other == root || is_var(other) && is_var(&root);
        path.own.retain(|other| !same(other));
        path.contents.retain(|(of, _), _| !same(of));
    }
}

/// The last part of a name.
fn last_part(name: &str) -> String {
    name.rsplit('.').next().unwrap_or(name).to_string()
}
