//! One function: where its locals live, its blocks, and the small steps all lowering is made of.

use super::unit::Lowering;
use crate::sema::tree::{Body, Expr, ExprKind, Function as Source, LabelId, LocalId};
use crate::sema::types::{QualType, Type};
use execution::diagnostic::Diagnostic;
use execution::ids::IdVec;
use execution::span::Span;
use ir::build::FunctionBuilder;
use ir::locks::Purpose;
use ir::op::{Access, BinaryOp, CastOp, Claim, Op, Operand, Terminator};
use ir::order::Order;
use ir::program::{BlockId, Function, LocId, Reg, Slot, SlotId, Width};
use std::collections::{HashMap, HashSet};

/// Where a local lives.
#[derive(Clone, Copy)]
pub enum Home {
    /// In a register: a scalar whose address is never taken.
    Register(Reg),
    /// In a stack object.
    Slot(SlotId),
    /// Where this register points to: a struct parameter, which the caller made.
    Pointed(Reg),
}

/// A label's block, and what is known about it.
#[derive(Clone, Default)]
pub struct Target {
    /// Its block, once it was used or placed.
    pub block: Option<BlockId>,
    /// The atomic sections around it, once it was placed.
    pub sections: Option<Vec<usize>>,
    /// The jumps to it so far: the sections that each stays in, and its place.
    pub jumps: Vec<(Vec<usize>, Span)>,
}

/// A loop or switch that `break` and `continue` may leave.
pub struct Enclosing {
    /// Where `break` goes.
    pub after: BlockId,
    /// Where `continue` goes; none for a switch.
    pub again: Option<BlockId>,
    /// How many atomic sections were open around it.
    pub sections: usize,
}

/// A function in the making.
pub struct Lower<'l, 'u> {
    /// The program.
    pub program: &'l mut Lowering<'u>,
    /// The blocks.
    pub out: FunctionBuilder,
    /// The checked body.
    pub body: &'u Body,
    /// The function's name.
    pub name: &'u str,
    /// Where each local lives, as far as it was used.
    pub homes: HashMap<LocalId, Home>,
    /// The registers that hold variables, which any expression may write.
    variables: HashSet<Reg>,
    /// The labels.
    pub targets: IdVec<LabelId, Target>,
    /// Where computed `goto`s go first, and the register with the address of the label.
    pub dispatch: Option<(BlockId, Reg)>,
    /// The loops and switches around the current statement.
    pub enclosing: Vec<Enclosing>,
    /// The atomic sections around the current statement.
    pub sections: Vec<usize>,
    /// What is called where some of these are left, which are not atomic sections then.
    pub cleanups: HashMap<usize, Expr>,
    /// The atomic sections around every label.
    pub label_sections: HashMap<LabelId, Vec<usize>>,
    /// Where the result goes, if it is a struct.
    pub result_at: Option<Reg>,
    /// The result's type.
    pub result: Type,
    /// The current place in the source.
    pub span: Span,
    places: HashMap<Span, LocId>,
}

impl<'l, 'u> Lower<'l, 'u> {
    /// Lowers a function.
    pub fn function(program: &'l mut Lowering<'u>, source: &'u Source, body: &'u Body) -> Function {
        let place = program.place(source.span, &source.name);
        let result = source.ty.result.ty.clone();
        let width = result.is_scalar().then(|| program.width(&result));
        let mut lower = Lower {
            program,
            out: FunctionBuilder::new(&source.name, width, Some(place)),
            body,
            name: &source.name,
            homes: HashMap::new(),
            variables: HashSet::new(),
            targets: body.labels.ids().map(|_| Target::default()).collect(),
            dispatch: None,
            enclosing: Vec::new(),
            sections: Vec::new(),
            cleanups: HashMap::new(),
            label_sections: super::stmt::label_sections(&body.block),
            result_at: None,
            result,
            span: source.span,
            places: HashMap::new(),
        };
        if lower.result.is_record() {
            lower.result_at = Some(lower.out.param(Width::PTR, Some("result")));
        }
        lower.receive_params();
        lower.start_blocks();
        if lower.name == "main" {
            lower.run_before_main();
        }
        lower.statements(&body.block);
        lower.at(body.end);
        lower.fall_off_the_end();
        lower.finish_dispatch();
        lower.check_targets();
        Function { lock_view: source.lock_view, ..lower.out.finish() }
    }

    /// Gives every parameter its register; those that live in memory are stored there.
    fn receive_params(&mut self) {
        let body = self.body;
        let mut moved = Vec::new();
        for &id in &body.params {
            let local = &body.locals[id];
            let name = Some(&*local.name);
            if local.ty.ty.is_record() {
                let at = self.out.param(Width::PTR, name);
                self.homes.insert(id, Home::Pointed(at));
                continue;
            }
            let width = self.width(&local.ty.ty);
            let reg = self.out.param(width, name);
            if self.in_register(id) {
                self.variables.insert(reg);
                self.homes.insert(id, Home::Register(reg));
            } else {
                moved.push((id, reg));
            }
        }
        for (id, reg) in moved {
            let local = &body.locals[id];
            self.at(local.span);
            let slot = self.new_slot(&local.name, &local.ty, local.align, local.span);
            self.homes.insert(id, Home::Slot(slot));
            self.emit(Op::Enter { slot });
            let width = self.width(&local.ty.ty);
            let order = plain_order(&local.ty);
            let access = Access {
                address: Operand::Slot(slot, 0),
                width,
                align: 1,
                order,
                path: Some(local.name.to_string()),
                purpose: Purpose::Data,
                tags: Vec::new(),
            };
            self.emit(Op::Store { access, value: Operand::Reg(reg) });
        }
    }

    fn fall_off_the_end(&mut self) {
        if self.out.is_terminated() {
            return;
        }
        let value = match &self.result {
            ty if !ty.is_scalar() => None,
            ty if self.name == "main" => Some(Operand::int(self.width(ty), 0)),
            ty => Some(Operand::Undef(self.width(ty))),
        };
        self.free_blocks();
        if self.name == "main" {
            self.run_after_main();
        }
        self.terminate(Terminator::Return(value));
    }

    /// There are no blocks yet that are to be freed in the end.
    fn start_blocks(&mut self) {
        for &id in &self.body.blocks {
            if let Home::Register(dst) = self.home(id) {
                self.emit(Op::Copy { dst, src: Operand::int(Width::PTR, 0) });
            }
        }
    }

    /// Frees the blocks that the function has made for itself.
    pub fn free_blocks(&mut self) {
        for &id in &self.body.blocks {
            if let Home::Register(reg) = self.home(id) {
                self.emit(Op::Free { address: Operand::Reg(reg) });
            }
        }
    }

    /// Refuses jumps to labels whose code was dropped, and jumps into atomic sections.
    fn check_targets(&mut self) {
        for id in self.body.labels.ids() {
            let target = self.targets[id].clone();
            let Some(block) = target.block else { continue };
            let Some(sections) = target.sections else {
                self.out.switch_to(block);
                self.out.terminate(Terminator::Trap("unreachable".into()), None);
                for (_, span) in target.jumps {
                    let text = "this jumps into an expression that is never evaluated";
                    self.program.errors.push(Diagnostic::error(span, text));
                }
                continue;
            };
            for (around, span) in target.jumps {
                if around != sections {
                    let text = "this jumps into an atomic section";
                    self.program.errors.push(Diagnostic::error(span, text));
                }
            }
        }
    }

    /// Whether a local lives in a register.
    fn in_register(&self, id: LocalId) -> bool {
        let local = &self.body.locals[id];
        local.ty.ty.is_scalar()
            && !local.address_taken
            && !local.ty.quals.is_volatile
            && !local.ty.quals.is_atomic
    }

    /// Where a local lives.
    pub fn home(&mut self, id: LocalId) -> Home {
        if let Some(home) = self.homes.get(&id) {
            return *home;
        }
        let local = &self.body.locals[id];
        let home = if self.in_register(id) {
            let width = self.width(&local.ty.ty);
            let reg = self.out.reg(width, Some(&local.name));
            self.variables.insert(reg);
            Home::Register(reg)
        } else {
            Home::Slot(self.new_slot(&local.name, &local.ty, local.align, local.span))
        };
        self.homes.insert(id, home);
        home
    }

    /// A new stack object.
    pub fn new_slot(
        &mut self,
        name: &str,
        ty: &QualType,
        align: Option<u64>,
        span: Span,
    ) -> SlotId {
        let types = &self.program.unit.types;
        let size = types.size_of(&ty.ty).unwrap_or(0);
        let align = types.align_of(ty).max(align.unwrap_or(1));
        let layout = Some(self.program.layout(&ty.ty));
        let place = Some(self.place_of(span));
        self.out.slot(Slot { name: name.to_string(), size, align, layout, place })
    }

    /// A stack object without a name, whose lifetime starts here.
    pub fn temporary(&mut self, ty: &Type, span: Span) -> Operand {
        let slot = self.new_slot("", &ty.clone().into(), None, span);
        self.emit(Op::Enter { slot });
        Operand::Slot(slot, 0)
    }

    fn place_of(&mut self, span: Span) -> LocId {
        if let Some(place) = self.places.get(&span) {
            return *place;
        }
        let place = self.program.place(span, self.name);
        self.places.insert(span, place);
        place
    }

    /// What is emitted from now on comes from `span`.
    pub fn at(&mut self, span: Span) {
        self.span = span;
    }

    /// Appends an instruction.
    pub fn emit(&mut self, op: Op) {
        let place = self.place_of(self.span);
        self.out.emit(op, Some(place));
    }

    /// Something at the current place is not supported: to reach it is a finding. What follows is
    /// lowered as if nothing were wrong, and dropped in the end.
    pub fn refuse(&mut self, why: &Diagnostic) {
        let place = self.place_of(self.span);
        self.program.refused.entry(place).or_insert_with(|| why.clone());
        let (cond, message) = (Operand::int(Width::BOOL, 0), why.message.clone());
        self.out.emit(Op::Assert { cond, claim: Claim::Supported, message }, Some(place));
    }

    /// Ends the current block.
    pub fn terminate(&mut self, terminator: Terminator) {
        let place = self.place_of(self.span);
        self.out.terminate(terminator, Some(place));
    }

    /// Ends the current block by a jump, unless it has already ended.
    pub fn jump(&mut self, block: BlockId) {
        if !self.out.is_terminated() {
            self.terminate(Terminator::Jump(block));
        }
    }

    /// The width of a scalar type.
    pub fn width(&self, ty: &Type) -> Width {
        self.program.width(ty)
    }

    /// The size of a type.
    pub fn size(&self, ty: &Type) -> u64 {
        self.program.unit.types.size_of(ty).unwrap_or(0)
    }

    /// A new register for a value.
    pub fn temp(&mut self, width: Width) -> Reg {
        self.out.reg(width, None)
    }

    /// `a op b`
    pub fn binary(&mut self, op: BinaryOp, a: Operand, b: Operand, checked: bool) -> Operand {
        let width = if op.is_comparison() { Width::BOOL } else { self.operand_width(a) };
        let dst = self.temp(width);
        self.emit(Op::Binary { dst, op, a, b, checked });
        Operand::Reg(dst)
    }

    /// A change of width, or of the kind of number.
    pub fn cast(&mut self, op: CastOp, a: Operand, width: Width) -> Operand {
        let keeps_bits = !matches!(op, CastOp::Float(_));
        if keeps_bits && self.operand_width(a) == width {
            return a;
        }
        if keeps_bits && let Operand::Int { width: from, bits } = a {
            let bits = match op {
                CastOp::SignExtend => {
                    crate::sema::constants::arith::signed(bits, from.bits()) as u128
                }
                _ => bits,
            };
            return Operand::int(width, bits);
        }
        let dst = self.temp(width);
        self.emit(Op::Cast { dst, op, a });
        Operand::Reg(dst)
    }

    /// The width of an operand.
    pub fn operand_width(&self, operand: Operand) -> Width {
        match operand {
            Operand::Reg(reg) => self.out.width(reg),
            Operand::Int { width, .. } | Operand::Undef(width) => width,
            Operand::Global(..) | Operand::Slot(..) | Operand::Function(_) => Width::PTR,
        }
    }

    /// An address moved by a constant number of bytes.
    pub fn offset(&mut self, address: Operand, by: i64) -> Operand {
        match address {
            _ if by == 0 => address,
            Operand::Global(id, at) => Operand::Global(id, at.wrapping_add(by)),
            Operand::Slot(id, at) => Operand::Slot(id, at.wrapping_add(by)),
            Operand::Int { width, bits } => Operand::int(width, bits.wrapping_add(by as u128)),
            _ => self.binary(BinaryOp::Add, address, Operand::int(Width::PTR, by as u128), false),
        }
    }

    /// A value that later writes to variables do not change.
    pub fn frozen(&mut self, value: Operand) -> Operand {
        match value {
            Operand::Reg(reg) if self.variables.contains(&reg) => self.copied(value),
            other => other,
        }
    }

    /// A value in a register of its own.
    pub fn copied(&mut self, value: Operand) -> Operand {
        let dst = self.temp(self.operand_width(value));
        self.emit(Op::Copy { dst, src: value });
        Operand::Reg(dst)
    }

    /// How the source spells an lvalue.
    pub fn path(&self, place: &Expr) -> Option<String> {
        super::path::of(place, self.body, self.program.unit)
    }

    /// What an access to an lvalue is for, as its declaration says: only the library makes such
    /// accesses, whatever the program under test does with the library's memory.
    pub fn purpose(&self, place: &Expr) -> Purpose {
        let declared = match &place.kind {
            ExprKind::Member { purpose, .. } => *purpose,
            _ => self.purpose_of(&place.ty.ty),
        };
        let sources = self.program.sources;
        match declared != Purpose::Data && sources.is_library(sources.call_site(place.span)) {
            true => declared,
            false => Purpose::Data,
        }
    }

    /// What an access to what a pointer points to is for.
    pub fn pointee_purpose(&self, pointer: &Expr) -> Purpose {
        match &pointer.kind {
            ExprKind::AddressOf(place) => self.purpose(place),
            ExprKind::Convert { value, .. } if value.ty.ty.is_pointer() => {
                self.pointee_purpose(value)
            }
            _ => {
                let declared = pointer.ty.ty.pointee().map(|to| self.purpose_of(&to.ty));
                let sources = self.program.sources;
                let own = sources.is_library(sources.call_site(pointer.span));
                declared.filter(|_| own).unwrap_or_default()
            }
        }
    }

    fn purpose_of(&self, ty: &Type) -> Purpose {
        match ty {
            Type::Enum(id) => self.program.unit.types.enums[*id].purpose,
            _ => Purpose::Data,
        }
    }

    /// How the source spells what a pointer points to.
    pub fn pointee_path(&self, pointer: &Expr) -> Option<String> {
        super::path::pointee(pointer, self.body, self.program.unit)
    }
}

/// The order of an ordinary access to an object of this type.
pub fn access_order(ty: &QualType) -> Order {
    if ty.quals.is_atomic { Order::SeqCst } else { plain_order(ty) }
}

/// The order of an access that initialises an object of this type.
pub fn plain_order(ty: &QualType) -> Order {
    if ty.quals.is_volatile { Order::Volatile } else { Order::NonAtomic }
}
