//! Parses instructions and terminators.

use super::cursor::width;
use super::lexer::Kind;
use super::parser::{Parser, Result, Scope, find};
use super::words::{BINARY, CAST, CONVERSION, RMW, UNARY, flags, item_of, order};
use crate::native::NativeFunction;
use crate::op::{
    Access, Callee, Choice, Claim, McasWord, Op, Operand, PrintFormat, PrintPiece, PrintTarget,
    SwitchCase, Terminator,
};
use crate::order::{Directions, Fence, Order};
use crate::program::{Reg, Width};
use crate::tag::Tag;
use execution::diagnostic::Diagnostic;
use execution::span::Span;

/// What stands before the equals sign: nothing, a register, or two for a compare-and-swap.
enum Targets {
    None,
    One(Reg),
    Two(Option<Reg>, Option<Reg>),
}

/// The word of an instruction: `cas.weak.acq.rlx` in its parts, and where it stands.
struct Opcode<'w> {
    name: &'w str,
    suffixes: Vec<&'w str>,
    span: Span,
}

impl Opcode<'_> {
    fn error(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(self.span, message)
    }

    /// Takes the first suffix if it is this word.
    fn eat(&mut self, word: &str) -> bool {
        let found = self.suffixes.first() == Some(&word);
        if found {
            self.suffixes.remove(0);
        }
        found
    }

    /// Takes an order from the suffixes; without any, it is a plain access.
    fn order(&mut self) -> Result<Order> {
        if self.suffixes.is_empty() {
            return Ok(Order::NonAtomic);
        }
        let word = self.suffixes.remove(0);
        order(word).ok_or_else(|| self.error(format!("`{word}` is not a memory order")))
    }

    fn no_more(&self) -> Result<()> {
        match self.suffixes.first() {
            None => Ok(()),
            Some(word) => Err(self.error(format!("`{}` has no form `.{word}`", self.name))),
        }
    }
}

impl Targets {
    /// The register that an instruction needs.
    fn one(&self, op: &Opcode<'_>) -> Result<Reg> {
        match self {
            Targets::One(reg) => Ok(*reg),
            _ => Err(op.error(format!("`{}` needs a register for its result: `%x = …`", op.name))),
        }
    }

    /// The register that an instruction may have.
    fn maybe(&self, op: &Opcode<'_>) -> Result<Option<Reg>> {
        match self {
            Targets::None => Ok(None),
            Targets::One(reg) => Ok(Some(*reg)),
            Targets::Two(..) => Err(op.error(format!("`{}` has one result", op.name))),
        }
    }

    fn none(&self, op: &Opcode<'_>) -> Result<()> {
        match self {
            Targets::None => Ok(()),
            _ => Err(op.error(format!("`{}` has no result", op.name))),
        }
    }
}

impl Parser {
    /// A terminator, if the next token begins one.
    pub fn terminator(&mut self, scope: &Scope) -> Result<Option<Terminator>> {
        let Kind::Word(word) = self.peek().clone() else { return Ok(None) };
        let words = ["jump", "branch", "switch", "return", "thread_exit", "exit", "trap"];
        if !words.contains(&word.as_str()) {
            return Ok(None);
        }
        self.next();
        Ok(Some(match word.as_str() {
            "jump" => Terminator::Jump(self.block_id()?),
            "branch" => {
                let cond = self.operand(scope, Some(Width::BOOL))?;
                self.punct(',')?;
                let then = self.block_id()?;
                self.punct(',')?;
                Terminator::Branch { cond, then, otherwise: self.block_id()? }
            }
            "switch" => self.switch(scope)?,
            "return" => Terminator::Return(self.optional(scope)?),
            "thread_exit" => Terminator::ThreadExit(self.optional(scope)?),
            "exit" => Terminator::Exit(self.operand(scope, None)?),
            _ => Terminator::Trap(self.string()?),
        }))
    }

    fn switch(&mut self, scope: &Scope) -> Result<Terminator> {
        let value = self.first_operand(scope)?.1;
        let mut cases = Vec::new();
        self.punct('{')?;
        while !self.eat_word("default") {
            let low = self.int()?;
            let high = if self.eat(&Kind::DotDot) { self.int()? } else { low };
            self.punct(':')?;
            cases.push(SwitchCase { low, high, target: self.block_id()? });
            self.punct(',')?;
        }
        self.punct(':')?;
        let default = self.block_id()?;
        self.punct('}')?;
        Ok(Terminator::Switch { value, cases, default })
    }

    /// An instruction.
    pub fn op(&mut self, scope: &Scope) -> Result<Op> {
        let targets = self.targets(scope)?;
        let span = self.span();
        let word = self.word("an instruction")?;
        let mut parts = word.split('.');
        let name = parts.next().unwrap_or_default();
        let mut op = Opcode { name, suffixes: parts.collect(), span };
        let parsed = match name {
            "load" | "loadx" | "store" | "storex" | "rmw" | "cas" | "mcas" => {
                self.access_op(scope, &mut op, &targets)?
            }
            "fence" => {
                targets.none(&op)?;
                Op::Fence(self.fence(&mut op)?)
            }
            "copy" => Op::Copy { dst: targets.one(&op)?, src: self.operand(scope, None)? },
            "select" => {
                let width = self.width()?;
                let cond = self.operand(scope, Some(Width::BOOL))?;
                self.punct(',')?;
                let a = self.operand_of_width(scope, width)?;
                self.punct(',')?;
                Op::Select { dst: targets.one(&op)?, cond, a, b: self.operand(scope, Some(width))? }
            }
            "choose" => {
                let dst = targets.one(&op)?;
                let span = self.span();
                let width = self.width()?;
                if scope.widths[dst].width != width {
                    let declared = scope.widths[dst].width;
                    return Err(Diagnostic::error(
                        span,
                        format!("the register has width {declared}"),
                    ));
                }
                Op::Choose { dst, from: self.choice(scope, width)? }
            }
            "call" | "native" | "spawn" | "op_begin" | "op_end" | "observe" | "commit"
            | "print" => self.call_op(scope, &op, &targets)?,
            _ => match self.arithmetic(scope, &mut op, &targets)? {
                Some(parsed) => parsed,
                None => self.simple_op(scope, &op, &targets)?,
            },
        };
        op.no_more()?;
        Ok(parsed)
    }

    /// `%x =`, or `%x, %y =` where each may be `_`, or nothing.
    fn targets(&mut self, scope: &Scope) -> Result<Targets> {
        let is_target = |kind: &Kind| match kind {
            Kind::Reg(_) => true,
            Kind::Word(word) => word == "_",
            _ => false,
        };
        if !is_target(self.peek()) {
            return Ok(Targets::None);
        }
        let span = self.span();
        let first = self.target(scope)?;
        if self.eat_punct(',') {
            let second = self.target(scope)?;
            self.punct('=')?;
            return Ok(Targets::Two(first, second));
        }
        self.punct('=')?;
        first.map(Targets::One).ok_or_else(|| Diagnostic::error(span, "leave out `_ =`"))
    }

    fn target(&mut self, scope: &Scope) -> Result<Option<Reg>> {
        let span = self.span();
        match self.next() {
            Kind::Reg(handle) => find(&scope.regs, &handle, span, '%').map(Some),
            Kind::Word(word) if word == "_" => Ok(None),
            _ => Err(Diagnostic::error(span, "expected a register or `_`")),
        }
    }

    fn arithmetic(
        &mut self,
        scope: &Scope,
        op: &mut Opcode<'_>,
        targets: &Targets,
    ) -> Result<Option<Op>> {
        if let Some(unary) = item_of(UNARY, op.name) {
            let (dst, checked) = (targets.one(op)?, op.eat("chk"));
            let (_, a) = self.first_operand(scope)?;
            return Ok(Some(Op::Unary { dst, op: unary, a, checked }));
        }
        if let Some(binary) = item_of(BINARY, op.name) {
            let (dst, checked) = (targets.one(op)?, op.eat("chk"));
            let (width, a) = self.first_operand(scope)?;
            self.punct(',')?;
            let b = self.operand(scope, Some(width))?;
            return Ok(Some(Op::Binary { dst, op: binary, a, b, checked }));
        }
        if let Some(cast) = item_of(CAST, op.name) {
            let dst = targets.one(op)?;
            let a = self.operand(scope, None)?;
            self.expect_word("to")?;
            let span = self.span();
            let (to, declared) = (self.width()?, scope.widths[dst].width);
            if to != declared {
                return Err(Diagnostic::error(span, format!("the register has width {declared}")));
            }
            return Ok(Some(Op::Cast { dst, op: cast, a }));
        }
        Ok(None)
    }

    fn simple_op(&mut self, scope: &Scope, op: &Opcode<'_>, targets: &Targets) -> Result<Op> {
        let ptr = Some(Width::PTR);
        let parsed = match op.name {
            "alloc" => {
                let size = self.operand(scope, ptr)?;
                self.expect_word("align")?;
                let align = self.operand(scope, ptr)?;
                let zeroed = self.eat_word("zeroed");
                let layout = self.as_layout()?;
                return Ok(Op::Alloc { dst: targets.one(op)?, size, align, zeroed, layout });
            }
            "block_size" => {
                let address = self.operand(scope, ptr)?;
                return Ok(Op::BlockSize { dst: targets.one(op)?, address });
            }
            "join" => {
                let thread = self.operand(scope, ptr)?;
                return Ok(Op::Join { dst: targets.maybe(op)?, thread });
            }
            "self" => return Ok(Op::Self_ { dst: targets.one(op)? }),
            "atomic_begin" => Op::AtomicBegin,
            "atomic_end" => Op::AtomicEnd,
            "enter" => {
                let span = self.span();
                let Kind::Slot(handle) = self.next() else {
                    return Err(Diagnostic::error(span, "expected a stack object, such as `$x`"));
                };
                Op::Enter { slot: find(&scope.slots, &handle, span, '$')? }
            }
            "free" => Op::Free { address: self.operand(scope, ptr)? },
            "detach" => Op::Detach { thread: self.operand(scope, ptr)? },
            "yield" => Op::Yield,
            "assert" | "require" | "supported" => {
                let named = |claim: &Claim| claim.name() == op.name;
                let claim = Claim::ALL.into_iter().find(named).expect("one of these");
                let cond = self.operand(scope, Some(Width::BOOL))?;
                self.punct(',')?;
                Op::Assert { cond, claim, message: self.string()? }
            }
            "bound" => {
                let index = self.operand(scope, ptr)?;
                self.punct(',')?;
                Op::Bound { index, length: self.size()? }
            }
            "assume" | "discard_unless" => {
                let (waits, cond) = (op.name == "assume", self.operand(scope, Some(Width::BOOL))?);
                Op::Assume { cond, waits }
            }
            name => return Err(op.error(format!("unknown instruction `{name}`"))),
        };
        targets.none(op)?;
        Ok(parsed)
    }

    fn call_op(&mut self, scope: &Scope, op: &Opcode<'_>, targets: &Targets) -> Result<Op> {
        let parsed = match op.name {
            "call" => {
                let (callee, args) = (self.callee(scope)?, self.args(scope)?);
                return Ok(Op::Call { dst: targets.maybe(op)?, callee, args });
            }
            "native" => {
                let name = self.string()?;
                self.punct(',')?;
                let (span, signature) = (self.span(), self.string()?);
                let function = NativeFunction::of_signature(name, &signature);
                let what = "this is not a signature, such as \"u64(u64,i32)\"";
                let function = function.ok_or_else(|| Diagnostic::error(span, what))?;
                let args = self.args(scope)?;
                return Ok(Op::Native { dst: targets.one(op)?, function, args });
            }
            "spawn" => {
                let (callee, args) = (self.callee(scope)?, self.args(scope)?);
                return Ok(Op::Spawn { dst: targets.one(op)?, callee, args });
            }
            "print" => {
                let (target, pieces) = (self.print_target(scope)?, self.pieces(scope)?);
                return Ok(Op::Print { dst: targets.maybe(op)?, target, pieces });
            }
            "op_begin" => Op::OperationBegin { name: self.string()?, args: self.args(scope)? },
            "op_end" => Op::OperationEnd { result: self.optional(scope)? },
            "observe" => {
                let label = self.string()?;
                self.punct(',')?;
                Op::Observe { label, value: self.operand(scope, None)? }
            }
            _ => Op::Commit { label: self.string()? },
        };
        targets.none(op)?;
        Ok(parsed)
    }

    fn access_op(&mut self, scope: &Scope, op: &mut Opcode<'_>, targets: &Targets) -> Result<Op> {
        match op.name {
            "load" | "loadx" => {
                let order = op.order()?;
                let access = self.access(scope, order)?;
                Ok(Op::Load { dst: targets.one(op)?, access, exclusive: op.name == "loadx" })
            }
            "store" | "storex" => {
                let order = op.order()?;
                let access = self.access(scope, order)?;
                let value = self.further_operand(scope, &access)?;
                if op.name == "storex" {
                    return Ok(Op::StoreExclusive { failed: targets.one(op)?, access, value });
                }
                targets.none(op)?;
                Ok(Op::Store { access, value })
            }
            "rmw" => {
                let word = if op.suffixes.is_empty() { "" } else { op.suffixes.remove(0) };
                let unknown = || op.error(format!("unknown read-modify-write `rmw.{word}`"));
                let rmw = item_of(RMW, word).ok_or_else(unknown)?;
                let order = op.order()?;
                let access = self.access(scope, order)?;
                let value = self.further_operand(scope, &access)?;
                Ok(Op::Rmw { dst: targets.maybe(op)?, op: rmw, access, value })
            }
            "cas" => {
                let weak = op.eat("weak");
                if op.suffixes.len() != 2 {
                    let example =
                        "`cas` needs two orders, on success and on failure: `cas.acq.rlx`";
                    return Err(op.error(example));
                }
                let (order, failure) = (op.order()?, op.order()?);
                let access = self.access(scope, order)?;
                let expected = self.further_operand(scope, &access)?;
                let desired = self.further_operand(scope, &access)?;
                let (dst, success) = match targets {
                    Targets::None => (None, None),
                    Targets::Two(dst, success) => (*dst, *success),
                    Targets::One(_) => {
                        let message =
                            "`cas` has two results, either of which may be `_`: `%old, %ok = …`";
                        return Err(op.error(message));
                    }
                };
                Ok(Op::Cas { dst, success, access, expected, desired, failure, weak })
            }
            _ => {
                let mut words = Vec::new();
                while words.is_empty() && *self.peek() == Kind::Punct('(')
                    || !words.is_empty() && self.eat_punct(',')
                {
                    words.push(self.mcas_word(scope)?);
                }
                Ok(Op::Mcas { success: targets.maybe(op)?, words })
            }
        }
    }

    fn mcas_word(&mut self, scope: &Scope) -> Result<McasWord> {
        self.punct('(')?;
        let span = self.span();
        let name = self.word("a memory order")?;
        let unknown = || Diagnostic::error(span, format!("`{name}` is not a memory order"));
        let access = self.access(scope, order(&name).ok_or_else(unknown)?)?;
        let expected = self.further_operand(scope, &access)?;
        let desired = self.further_operand(scope, &access)?;
        self.punct(')')?;
        Ok(McasWord { access, expected, desired })
    }

    fn access(&mut self, scope: &Scope, order: Order) -> Result<Access> {
        let width = self.width()?;
        self.punct('[')?;
        let address = self.operand(scope, Some(Width::PTR))?;
        let path = if matches!(self.peek(), Kind::Str(_)) { Some(self.string()?) } else { None };
        self.punct(']')?;
        let align = if self.eat_word("align") { self.size()? } else { 1 };
        let purpose = self.purpose()?;
        let mut tags = Vec::new();
        if self.eat_word("tags") {
            self.punct('(')?;
            loop {
                tags.push(Tag::parse(&self.name("a tag")?));
                if !self.eat_punct(',') {
                    break;
                }
            }
            self.punct(')')?;
        }
        Ok(Access { address, width, align, order, path, purpose, tags })
    }

    /// A comma and an operand of an access.
    fn further_operand(&mut self, scope: &Scope, access: &Access) -> Result<Operand> {
        self.punct(',')?;
        self.operand(scope, Some(access.width))
    }

    fn fence(&mut self, op: &mut Opcode<'_>) -> Result<Fence> {
        if !op.suffixes.is_empty() {
            return Ok(Fence::C11(op.order()?));
        }
        if matches!(self.peek(), Kind::Str(_)) {
            return Ok(Fence::Named(self.string()?));
        }
        if self.eat_word("compiler") {
            return Ok(Fence::Compiler);
        }
        let mut directions = Directions::default();
        if self.eat_word("none") {
            return Ok(Fence::Directed(directions));
        }
        loop {
            let span = self.span();
            let from = self.word("`load`, `store`, `none`, `compiler` or a string")?;
            self.punct('-')?;
            let to = self.word("`load` or `store`")?;
            *match (from.as_str(), to.as_str()) {
                ("load", "load") => &mut directions.load_load,
                ("load", "store") => &mut directions.load_store,
                ("store", "load") => &mut directions.store_load,
                ("store", "store") => &mut directions.store_store,
                _ => return Err(Diagnostic::error(span, "unknown direction of a fence")),
            } = true;
            if !self.eat_punct(',') {
                return Ok(Fence::Directed(directions));
            }
        }
    }

    fn choice(&mut self, scope: &Scope, width: Width) -> Result<Choice> {
        if self.eat_word("any") {
            return Ok(Choice::Any);
        }
        if self.eat_punct('{') {
            let mut values = Vec::new();
            while !self.eat_punct('}') {
                values.push(self.operand(scope, Some(width))?);
                if !self.eat_punct(',') {
                    self.punct('}')?;
                    break;
                }
            }
            return Ok(Choice::Set(values));
        }
        let low = self.operand(scope, Some(width))?;
        if !self.eat(&Kind::DotDot) {
            return Err(self.expected("`..`"));
        }
        Ok(Choice::Range(low, self.operand(scope, Some(width))?))
    }

    fn callee(&mut self, scope: &Scope) -> Result<Callee> {
        if self.eat_punct('*') {
            return self.operand(scope, Some(Width::PTR)).map(Callee::Indirect);
        }
        self.function_name().map(Callee::Direct)
    }

    fn args(&mut self, scope: &Scope) -> Result<Vec<Operand>> {
        let mut args = Vec::new();
        self.punct('(')?;
        while !self.eat_punct(')') {
            args.push(self.operand(scope, None)?);
            if !self.eat_punct(',') {
                self.punct(')')?;
                break;
            }
        }
        Ok(args)
    }

    fn print_target(&mut self, scope: &Scope) -> Result<PrintTarget> {
        let span = self.span();
        match self.word("`stdout`, `stderr` or `buffer`")?.as_str() {
            "stdout" => Ok(PrintTarget::Stdout),
            "stderr" => Ok(PrintTarget::Stderr),
            "buffer" => {
                self.punct('(')?;
                let address = self.operand(scope, Some(Width::PTR))?;
                self.punct(',')?;
                let size = self.operand(scope, Some(Width::PTR))?;
                self.punct(')')?;
                Ok(PrintTarget::Buffer { address, size })
            }
            _ => Err(Diagnostic::error(span, "expected `stdout`, `stderr` or `buffer`")),
        }
    }

    fn pieces(&mut self, scope: &Scope) -> Result<Vec<PrintPiece>> {
        let mut pieces = Vec::new();
        while self.eat_punct(',') {
            pieces.push(match self.peek() {
                Kind::Str(_) => PrintPiece::Text(self.string()?),
                _ => self.formatted(scope)?,
            });
        }
        Ok(pieces)
    }

    fn formatted(&mut self, scope: &Scope) -> Result<PrintPiece> {
        let span = self.span();
        let word = self.word("a string or a format")?;
        let unknown = || Diagnostic::error(span, format!("unknown format `{word}`"));
        let mut parts = word.split('.');
        let name = parts.next().unwrap_or_default();
        let mut format = PrintFormat {
            conversion: item_of(CONVERSION, name).ok_or_else(unknown)?,
            left: false,
            plus: false,
            space: false,
            alternate: false,
            zero: false,
            width: None,
            precision: None,
        };
        for part in parts {
            let known = flags(&mut format).into_iter().find(|(_, name)| *name == part);
            *known.ok_or_else(unknown)?.0 = true;
        }
        self.punct('(')?;
        let value = self.operand(scope, None)?;
        if self.eat_word("width") {
            format.width = Some(self.operand(scope, None)?);
        }
        if self.eat_word("prec") {
            format.precision = Some(self.operand(scope, None)?);
        }
        self.punct(')')?;
        Ok(PrintPiece::Value { format, value })
    }

    /// An operand, if there is one before the end of the line.
    fn optional(&mut self, scope: &Scope) -> Result<Option<Operand>> {
        let ends = !self.on_this_line() || *self.peek() == Kind::Punct('!');
        if ends { Ok(None) } else { self.operand(scope, None).map(Some) }
    }

    /// The width of an operation and its first operand, which must have that width.
    fn first_operand(&mut self, scope: &Scope) -> Result<(Width, Operand)> {
        let width = self.width()?;
        Ok((width, self.operand_of_width(scope, width)?))
    }

    fn operand_of_width(&mut self, scope: &Scope, wanted: Width) -> Result<Operand> {
        let span = self.span();
        let operand = self.operand(scope, Some(wanted))?;
        match operand_width(scope, &operand) {
            width if width == wanted => Ok(operand),
            width => Err(Diagnostic::error(span, format!("this is {width}, not {wanted}"))),
        }
    }

    /// An operand, where numbers without a width have the width `known`.
    fn operand(&mut self, scope: &Scope, known: Option<Width>) -> Result<Operand> {
        let start = self.span();
        let written = match self.peek() {
            Kind::Word(word) => width(word),
            _ => None,
        };
        if written.is_some() {
            self.next();
        }
        let span = self.span();
        let need = || {
            let message = "this needs its width, such as `i32`, in front of it";
            written.or(known).ok_or_else(|| Diagnostic::error(span, message))
        };
        let operand = match self.peek().clone() {
            Kind::Int(_) | Kind::Punct('-') => {
                let width = need()?;
                return Ok(Operand::Int { width, bits: self.number(width)? });
            }
            Kind::Word(word) if word == "undef" => {
                self.next();
                return Ok(Operand::Undef(need()?));
            }
            Kind::Reg(handle) => {
                self.next();
                Operand::Reg(find(&scope.regs, &handle, span, '%')?)
            }
            Kind::Slot(handle) => {
                self.next();
                Operand::Slot(find(&scope.slots, &handle, span, '$')?, self.offset()?)
            }
            Kind::Global(name) => {
                self.next();
                Operand::Global(self.find_global(&name, span)?, self.offset()?)
            }
            Kind::Function(name) => {
                self.next();
                Operand::Function(self.find_function(&name, span)?)
            }
            _ => return Err(self.expected("an operand")),
        };
        let actual = operand_width(scope, &operand);
        match written {
            Some(written) if written != actual => {
                Err(Diagnostic::error(start, format!("this is {actual}, not {written}")))
            }
            _ => Ok(operand),
        }
    }
}

fn operand_width(scope: &Scope, operand: &Operand) -> Width {
    match operand {
        Operand::Reg(reg) => scope.widths[*reg].width,
        Operand::Int { width, .. } | Operand::Undef(width) => *width,
        Operand::Global(..) | Operand::Slot(..) | Operand::Function(_) => Width::PTR,
    }
}
