//! What the assembly front ends share: columns, labels, registers, and the thread being built.
//!
//! A thread becomes one function. Each architectural register is one virtual register of 64
//! bits and each condition flag one of a single bit, so that dependencies flow through them as
//! the instructions say. Registers without an initial value start as zero.

use crate::init::RegisterInit;
use crate::locations::Locations;
use crate::test::Constant;
use crate::token::{Cursor, Kind, Token};
use execution::diagnostic::Diagnostic;
use execution::span::{SourceMap, Span};
use ir::build::{FunctionBuilder, ProgramBuilder};
use ir::locks::Purpose;
use ir::op::{Access, BinaryOp, CastOp, Choice, Op, Operand, RmwOp, Terminator, UnaryOp};
use ir::order::{Fence, Order};
use ir::program::{BlockId, FuncId, LocId, Reg, SourcePlace, Width};
use ir::tag::Tag;
use std::collections::BTreeMap;

/// One cell of the program table: an instruction, perhaps with labels in front.
pub type Cell<'t> = Vec<Token<'t>>;

/// Reads the program table: its first row names the threads; gives each thread's cells.
pub fn columns<'t>(
    cursor: &mut Cursor<'t>,
    ends: impl Fn(&Cursor<'t>) -> bool,
) -> Result<Vec<Vec<Cell<'t>>>, Diagnostic> {
    let mut threads = 0;
    loop {
        let name = cursor.peek();
        let expected = format!("P{threads}");
        let (thread, part) = name.text.split_once('.').unwrap_or((name.text, ""));
        if !part.is_empty() && thread.starts_with('P') {
            return Err(fault_handler(name.span));
        }
        if !name.is_word(&expected) {
            return Err(cursor.wanted(&format!("the name of thread `{expected}`")));
        }
        cursor.next();
        if cursor.peek().is(":") {
            return Err(fault_handler(name.span.to(cursor.peek_at(1).span)));
        }
        threads += 1;
        if cursor.eat(";") {
            break;
        }
        cursor.expect("|")?;
    }
    let mut columns: Vec<Vec<Cell<'t>>> = vec![Vec::new(); threads];
    while !cursor.at_end() && !ends(cursor) {
        row(cursor, &mut columns)?;
    }
    Ok(columns)
}

fn fault_handler(span: Span) -> Diagnostic {
    Diagnostic::error(span, "columns for fault handlers are not supported")
        .note("tests of exceptions need a system-level model")
}

fn row<'t>(cursor: &mut Cursor<'t>, columns: &mut [Vec<Cell<'t>>]) -> Result<(), Diagnostic> {
    let mut column = 0;
    let mut cell = Vec::new();
    loop {
        let token = cursor.peek();
        if token.kind == Kind::End {
            return Err(cursor.wanted("`;` at the end of the row"));
        }
        cursor.next();
        let row_ends = token.is(";");
        // Two bars without a space between them enclose an empty column.
        let empty = usize::from(token.is("||"));
        if !row_ends && empty == 0 && !token.is("|") {
            cell.push(token);
            continue;
        }
        let Some(cells) = columns.get_mut(column) else {
            let message = format!("this row has more than {} columns", columns.len());
            return Err(Diagnostic::error(token.span, message));
        };
        if !cell.is_empty() {
            cells.push(std::mem::take(&mut cell));
        }
        column += 1 + empty;
        if row_ends {
            return Ok(());
        }
    }
}

/// What the front end knows about the whole test while it lowers one thread.
pub struct Context<'c> {
    /// The program.
    pub program: &'c mut ProgramBuilder,
    /// The shared locations.
    pub locations: &'c mut Locations,
    /// The source text.
    pub sources: &'c SourceMap,
}

/// A thread in the making.
pub struct Thread<'c> {
    /// The whole test.
    pub context: Context<'c>,
    function: FunctionBuilder,
    registers: BTreeMap<String, Reg>,
    labels: BTreeMap<String, Label>,
    exit: BlockId,
    body: BlockId,
    place: Option<LocId>,
    name: String,
    /// Tags that accesses get besides their own.
    pub extra_tags: Vec<Tag>,
}

struct Label {
    block: BlockId,
    defined: bool,
    used: Span,
}

impl<'c> Thread<'c> {
    /// The thread of this number.
    pub fn new(context: Context<'c>, number: usize) -> Self {
        let name = format!("P{number}");
        let mut function = FunctionBuilder::new(&name, None, None);
        let (body, exit) = (function.new_block(), function.new_block());
        function.switch_to(body);
        let (registers, labels) = (BTreeMap::new(), BTreeMap::new());
        Self {
            context,
            function,
            registers,
            labels,
            exit,
            body,
            place: None,
            name,
            extra_tags: Vec::new(),
        }
    }

    /// From here on, instructions come from this place.
    pub fn at(&mut self, span: Span) {
        let location = self.context.sources.location(span);
        let function = self.name.clone();
        let place = SourcePlace { location, function, inlined_at: None };
        self.place = Some(self.context.program.place(place));
    }

    /// The register of this canonical name and width.
    pub fn register(&mut self, name: &str, width: Width) -> Reg {
        if let Some(&reg) = self.registers.get(name) {
            return reg;
        }
        let reg = self.function.reg(width, Some(name));
        self.registers.insert(name.to_string(), reg);
        reg
    }

    /// A register of 64 bits.
    pub fn wide(&mut self, name: &str) -> Reg {
        self.register(name, Width::I64)
    }

    /// A condition flag.
    pub fn flag(&mut self, name: &str) -> Reg {
        self.register(name, Width::BOOL)
    }

    /// A new nameless register.
    pub fn temporary(&mut self, width: Width) -> Reg {
        self.function.reg(width, None)
    }

    /// Appends an operation.
    pub fn emit(&mut self, mut op: Op) {
        if let Op::Load { access, .. }
        | Op::Store { access, .. }
        | Op::Rmw { access, .. }
        | Op::Cas { access, .. } = &mut op
        {
            access.tags.extend(self.extra_tags.iter().cloned());
        }
        self.function.emit(op, self.place);
    }

    /// `dst = src`.
    pub fn copy(&mut self, dst: Reg, src: Operand) {
        self.emit(Op::Copy { dst, src });
    }

    /// The width of an operand.
    pub fn width(&self, operand: Operand) -> Width {
        match operand {
            Operand::Reg(reg) => self.function.width(reg),
            Operand::Int { width, .. } | Operand::Undef(width) => width,
            Operand::Global(..) | Operand::Slot(..) | Operand::Function(_) => Width::PTR,
        }
    }

    /// The result of `a op b`.
    pub fn binary(&mut self, op: BinaryOp, a: Operand, b: Operand) -> Operand {
        let width = if op.is_comparison() { Width::BOOL } else { self.width(a) };
        let dst = self.temporary(width);
        self.emit(Op::Binary { dst, op, a, b, checked: false });
        Operand::Reg(dst)
    }

    /// The result of `op a`.
    pub fn unary(&mut self, op: UnaryOp, a: Operand) -> Operand {
        let dst = self.temporary(self.width(a));
        self.emit(Op::Unary { dst, op, a, checked: false });
        Operand::Reg(dst)
    }

    /// `a` changed to a width; itself where it has that width.
    pub fn cast(&mut self, op: CastOp, a: Operand, width: Width) -> Operand {
        if self.width(a) == width {
            return a;
        }
        let dst = self.temporary(width);
        self.emit(Op::Cast { dst, op, a });
        Operand::Reg(dst)
    }

    /// The low bits of `a`, or `a` filled up with zeros.
    pub fn resize(&mut self, a: Operand, width: Width) -> Operand {
        let op = if width < self.width(a) { CastOp::Truncate } else { CastOp::ZeroExtend };
        self.cast(op, a, width)
    }

    /// `cond ? a : b`, without a branch.
    pub fn select(&mut self, cond: Operand, a: Operand, b: Operand) -> Operand {
        let dst = self.temporary(self.width(a));
        self.emit(Op::Select { dst, cond, a, b });
        Operand::Reg(dst)
    }

    /// Reads memory.
    pub fn load(&mut self, access: Access, exclusive: bool) -> Operand {
        let dst = self.temporary(access.width);
        self.emit(Op::Load { dst, access, exclusive });
        Operand::Reg(dst)
    }

    /// Reads, computes, writes; gives the old value.
    pub fn rmw(&mut self, op: RmwOp, access: Access, value: Operand, returns: bool) -> Operand {
        let dst = self.temporary(access.width);
        let result = returns.then_some(dst);
        self.emit(Op::Rmw { dst: result, op, access, value });
        Operand::Reg(dst)
    }

    /// A fence by its name.
    pub fn fence(&mut self, name: &str) {
        self.emit(Op::Fence(Fence::Named(name.to_string())));
    }

    /// Continues at the label, which is defined here.
    pub fn define_label(&mut self, token: Token<'_>) -> Result<(), Diagnostic> {
        let label = self.label(token);
        if label.defined {
            let message = format!("label `{}` is defined twice", token.text);
            return Err(Diagnostic::error(token.span, message));
        }
        label.defined = true;
        let block = label.block;
        self.continue_in(block);
        Ok(())
    }

    fn label(&mut self, token: Token<'_>) -> &mut Label {
        let function = &mut self.function;
        self.labels.entry(token.text.to_string()).or_insert_with(|| Label {
            block: function.new_block(),
            defined: false,
            used: token.span,
        })
    }

    /// Jumps to a label.
    pub fn jump(&mut self, target: Token<'_>) {
        let block = self.label(target).block;
        self.function.terminate(Terminator::Jump(block), self.place);
    }

    /// Jumps to a label if the condition holds.
    pub fn branch(&mut self, cond: Operand, target: Token<'_>) {
        let then = self.label(target).block;
        let otherwise = self.function.new_block();
        self.function.terminate(Terminator::Branch { cond, then, otherwise }, self.place);
        self.function.switch_to(otherwise);
    }

    /// A new empty block.
    pub fn new_block(&mut self) -> BlockId {
        self.function.new_block()
    }

    /// Continues in a block, to which control falls through from here.
    pub fn continue_in(&mut self, block: BlockId) {
        if !self.function.is_terminated() {
            self.function.terminate(Terminator::Jump(block), self.place);
        }
        self.function.switch_to(block);
    }

    /// Continues in a block, to which control does not fall through from here.
    pub fn switch_to(&mut self, block: BlockId) {
        self.function.switch_to(block);
    }

    /// Jumps to a block.
    pub fn jump_to(&mut self, block: BlockId) {
        if !self.function.is_terminated() {
            self.function.terminate(Terminator::Jump(block), self.place);
        }
    }

    /// Goes to one of two blocks.
    pub fn branch_to(&mut self, cond: Operand, then: BlockId, otherwise: BlockId) {
        self.function.terminate(Terminator::Branch { cond, then, otherwise }, self.place);
    }

    /// Goes on in two ways, of which the oracle tries both; gives the two blocks and the one where
    /// they join. No dependency comes from the choice.
    pub fn either(&mut self) -> (BlockId, BlockId, BlockId) {
        let choice = self.temporary(Width::BOOL);
        let values = [0, 1].map(|bit| Operand::int(Width::BOOL, bit));
        self.emit(Op::Choose { dst: choice, from: Choice::Set(values.to_vec()) });
        let (yes, no, join) = (self.new_block(), self.new_block(), self.new_block());
        self.branch_to(Operand::Reg(choice), yes, no);
        (yes, no, join)
    }

    /// Ends the thread here.
    pub fn leave(&mut self) {
        self.function.terminate(Terminator::Jump(self.exit), self.place);
    }

    /// Finishes the thread: initial values first, observations of the registers that the
    /// condition mentions last.
    pub fn finish(
        mut self,
        number: usize,
        inits: &[RegisterInit],
        canonical: &dyn Fn(&str) -> Option<String>,
        finals: &[String],
    ) -> Result<FuncId, Diagnostic> {
        if let Some((name, label)) = self.labels.iter().find(|(_, label)| !label.defined) {
            let message = format!("there is no label `{name}` in this thread");
            return Err(Diagnostic::error(label.used, message));
        }
        if !self.function.is_terminated() {
            self.leave();
        }
        for register in finals {
            self.wide_unless_known(register);
        }
        self.place = None;
        self.function.switch_to(self.exit);
        for register in finals {
            let value = Operand::Reg(self.registers[register]);
            let label = format!("{number}:{}", register);
            self.emit(Op::Observe { label, value });
        }
        self.function.terminate(Terminator::Return(None), None);
        self.initialise(number, inits, canonical)?;
        let function = self.context.program.declare(&self.name);
        self.context.program.define(function, self.function.finish());
        self.context.program.entry(function);
        Ok(function)
    }

    fn wide_unless_known(&mut self, name: &str) {
        if !self.registers.contains_key(name) {
            self.wide(name);
        }
    }

    fn initialise(
        &mut self,
        number: usize,
        inits: &[RegisterInit],
        canonical: &dyn Fn(&str) -> Option<String>,
    ) -> Result<(), Diagnostic> {
        let mut values: BTreeMap<String, Operand> = BTreeMap::new();
        for init in inits {
            let symbolic = init.name.starts_with('%') && init.thread.is_none();
            if init.thread != Some(number) && !symbolic {
                continue;
            }
            let Some(name) = canonical(&init.name) else {
                let message = format!("there is no register `{}`", init.name);
                return Err(Diagnostic::error(init.span, message));
            };
            if let Some(value) = &init.value {
                values.insert(name, operand(value));
            }
        }
        self.function.switch_to(ir::program::BlockId::first());
        let registers: Vec<(String, Reg)> =
            self.registers.iter().map(|(name, reg)| (name.clone(), *reg)).collect();
        for (name, dst) in registers {
            let width = self.function.width(dst);
            let zero = Operand::int(width, 0);
            let src = values.remove(&name).unwrap_or(zero);
            let src = match src {
                Operand::Int { bits, .. } => Operand::int(width, bits),
                other => other,
            };
            self.copy(dst, src);
        }
        self.function.terminate(Terminator::Jump(self.body), None);
        Ok(())
    }
}

/// The first block of a function.
trait First {
    fn first() -> Self;
}

impl First for BlockId {
    fn first() -> Self {
        execution::ids::Id::new(0)
    }
}

/// A constant of the init section as an operand of 64 bits.
pub fn operand(value: &Constant) -> Operand {
    match value {
        Constant::Int(number) => Operand::int(Width::I64, *number as u128),
        Constant::Address { global, offset, .. } => Operand::Global(*global, *offset as i64),
    }
}

/// An access of a machine instruction. Machine accesses race without harm, so their order is
/// relaxed at least; what a model wants to know is in the tags.
pub fn access(address: Operand, width: Width, order: Order, tags: &[Tag]) -> Access {
    let tags = tags.to_vec();
    Access { address, width, align: 1, order, path: None, purpose: Purpose::Data, tags }
}

/// The cell's instruction after its labels, which are defined in the thread.
pub fn after_labels<'t>(
    thread: &mut Thread<'_>,
    cell: Cell<'t>,
) -> Result<Option<Cursor<'t>>, Diagnostic> {
    let Some(last) = cell.last().copied() else { return Ok(None) };
    let end = Span { start: last.span.end, ..last.span };
    let mut tokens = cell;
    tokens.push(Token { kind: Kind::End, text: "", span: end });
    let mut cursor = Cursor::new(tokens);
    while matches!(cursor.peek().kind, Kind::Word | Kind::Number) && cursor.peek_at(1).is(":") {
        let label = cursor.next();
        cursor.next();
        thread.define_label(label)?;
    }
    if cursor.at_end() {
        return Ok(None);
    }
    thread.at(cursor.peek().span.to(last.span));
    Ok(Some(cursor))
}

/// The error for an unknown instruction.
pub fn unknown_instruction(token: Token<'_>, arch: &str) -> Diagnostic {
    let message = format!("unknown {arch} instruction `{}`", token.text);
    Diagnostic::error(token.span, message)
}

/// That an instruction has other operands than it can have.
pub fn bad_operands(cursor: &Cursor<'_>, mnemonic: Token<'_>) -> Diagnostic {
    let message = format!("`{}` does not take these operands", mnemonic.text);
    Diagnostic::error(mnemonic.span.to(cursor.previous_span()), message)
}

/// That something is left after an instruction.
pub fn finished(cursor: &Cursor<'_>) -> Result<(), Diagnostic> {
    if cursor.at_end() { Ok(()) } else { Err(cursor.wanted("the end of the instruction")) }
}
