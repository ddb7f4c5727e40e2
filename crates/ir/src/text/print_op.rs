//! Prints instructions and terminators.

use super::names::{Handles, quoted, word};
use super::print::{Printer, purpose, with_offset};
use super::words::{BINARY, CAST, CONVERSION, RMW, UNARY, flags, word_of};
use crate::op::{
    Access, Callee, Choice, McasWord, Op, Operand, PrintFormat, PrintPiece, PrintTarget, Terminator,
};
use crate::order::{Fence, Order};
use crate::program::{Function, Reg, Width};

/// A number: decimal as long as people can read it.
fn number(bits: u128) -> String {
    if bits <= 9_999_999_999 { format!("{bits}") } else { format!("{bits:#x}") }
}

/// A number of a width: small negative ones with their sign.
pub(super) fn signed_number(width: Width, bits: u128) -> String {
    let distance = (width.mask() - (bits & width.mask())).saturating_add(1);
    if width.bits() >= 8 && distance <= 128 && bits <= width.mask() {
        format!("-{distance}")
    } else {
        number(bits)
    }
}

/// The suffix that names an order; a plain access has none.
fn suffix(order: Order) -> String {
    match order {
        Order::NonAtomic => String::new(),
        order => format!(".{}", order.name()),
    }
}

impl Function {
    /// The width of an operand; `None` for a register that does not exist.
    pub fn operand_width(&self, operand: &Operand) -> Option<Width> {
        match operand {
            Operand::Reg(reg) => self.regs.get(*reg).map(|info| info.width),
            Operand::Int { width, .. } | Operand::Undef(width) => Some(*width),
            Operand::Global(..) | Operand::Slot(..) | Operand::Function(_) => Some(Width::PTR),
        }
    }
}

/// The function whose instructions are printed.
#[derive(Clone, Copy)]
struct Scope<'a> {
    function: &'a Function,
    handles: &'a Handles,
}

impl Scope<'_> {
    fn width(self, operand: &Operand) -> Width {
        self.function.operand_width(operand).unwrap_or(Width::PTR)
    }
}

impl Printer<'_> {
    /// An instruction, without its place.
    pub fn op(&mut self, op: &Op, function: &Function, handles: &Handles) {
        let scope = Scope { function, handles };
        let text = self.op_text(op, scope);
        self.out.push_str(&text);
    }

    fn op_text(&self, op: &Op, s: Scope<'_>) -> String {
        let set = |dst: &Reg| format!("{} = ", s.handles.reg(*dst));
        let maybe = |dst: &Option<Reg>| dst.as_ref().map_or(String::new(), set);
        let any = |operand: &Operand| self.operand(operand, None, s);
        let ptr = |operand: &Operand| self.operand(operand, Some(Width::PTR), s);
        let bit = |operand: &Operand| self.operand(operand, Some(Width::BOOL), s);
        let chk = |checked: &bool| if *checked { ".chk" } else { "" };
        match op {
            Op::Copy { dst, src } => format!("{}copy {}", set(dst), any(src)),
            Op::Unary { dst, op, a, checked } => {
                let (w, name) = (s.width(a), word_of(UNARY, op));
                let a = self.operand(a, Some(w), s);
                format!("{}{name}{} {w} {a}", set(dst), chk(checked))
            }
            Op::Binary { dst, op, a, b, checked } => {
                let (w, name) = (s.width(a), word_of(BINARY, op));
                let (a, b) = (self.operand(a, Some(w), s), self.operand(b, Some(w), s));
                format!("{}{name}{} {w} {a}, {b}", set(dst), chk(checked))
            }
            Op::Cast { dst, op, a } => {
                let to = s.width(&Operand::Reg(*dst));
                format!("{}{} {} to {to}", set(dst), word_of(CAST, op), any(a))
            }
            Op::Select { dst, cond, a, b } => {
                let w = s.width(a);
                let (a, b) = (self.operand(a, Some(w), s), self.operand(b, Some(w), s));
                format!("{}select {w} {}, {a}, {b}", set(dst), bit(cond))
            }
            Op::Load { .. }
            | Op::Store { .. }
            | Op::StoreExclusive { .. }
            | Op::Rmw { .. }
            | Op::Cas { .. }
            | Op::Mcas { .. } => self.access_op(op, s),
            Op::Fence(fence) => fence_text(fence),
            Op::AtomicBegin => "atomic_begin".to_string(),
            Op::AtomicEnd => "atomic_end".to_string(),
            Op::Enter { slot } => format!("enter {}", s.handles.slot(*slot)),
            Op::Alloc { dst, size, align, zeroed, layout } => {
                let zeroed = if *zeroed { " zeroed" } else { "" };
                let layout =
                    layout.map_or(String::new(), |id| format!(" as {}", self.layout_name(id)));
                format!("{}alloc {} align {}{zeroed}{layout}", set(dst), ptr(size), ptr(align))
            }
            Op::Free { address } => format!("free {}", ptr(address)),
            Op::BlockSize { dst, address } => format!("{}block_size {}", set(dst), ptr(address)),
            Op::Spawn { dst, callee, args } => {
                format!("{}spawn {}{}", set(dst), self.callee(callee, s), self.args(args, s))
            }
            Op::Join { dst, thread } => format!("{}join {}", maybe(dst), ptr(thread)),
            Op::Detach { thread } => format!("detach {}", ptr(thread)),
            Op::Self_ { dst } => format!("{}self", set(dst)),
            Op::Yield => "yield".to_string(),
            Op::Assert { cond, claim, message } => {
                format!("{} {}, {}", claim.name(), bit(cond), quoted(message))
            }
            Op::Bound { index, length } => format!("bound {}, {length}", ptr(index)),
            Op::Assume { cond, waits } => {
                format!("{} {}", if *waits { "assume" } else { "discard_unless" }, bit(cond))
            }
            Op::Choose { dst, from } => {
                let w = s.width(&Operand::Reg(*dst));
                format!("{}choose {w} {}", set(dst), self.choice(from, w, s))
            }
            Op::Observe { label, value } => format!("observe {}, {}", quoted(label), any(value)),
            Op::Commit { label } => format!("commit {}", quoted(label)),
            Op::OperationBegin { name, args } => {
                format!("op_begin {}{}", quoted(name), self.args(args, s))
            }
            Op::OperationEnd { result: None } => "op_end".to_string(),
            Op::OperationEnd { result: Some(result) } => format!("op_end {}", any(result)),
            Op::Call { dst, callee, args } => {
                format!("{}call {}{}", maybe(dst), self.callee(callee, s), self.args(args, s))
            }
            Op::Native { dst, function, args } => {
                let (name, signature) = (quoted(&function.name), quoted(&function.signature()));
                format!("{}native {name}, {signature} {}", set(dst), self.args(args, s))
            }
            Op::Print { dst, target, pieces } => {
                let target = match target {
                    PrintTarget::Stdout => "stdout".to_string(),
                    PrintTarget::Stderr => "stderr".to_string(),
                    PrintTarget::Buffer { address, size } => {
                        format!("buffer({}, {})", ptr(address), ptr(size))
                    }
                };
                let pieces: String = pieces.iter().map(|piece| self.piece(piece, s)).collect();
                format!("{}print {target}{pieces}", maybe(dst))
            }
        }
    }

    fn access_op(&self, op: &Op, s: Scope<'_>) -> String {
        let set = |dst: &Reg| format!("{} = ", s.handles.reg(*dst));
        let maybe = |dst: &Option<Reg>| dst.as_ref().map_or(String::new(), set);
        let value = |access: &Access, value: &Operand| self.operand(value, Some(access.width), s);
        match op {
            Op::Load { dst, access, exclusive } => {
                let name = if *exclusive { "loadx" } else { "load" };
                let order = suffix(access.order);
                format!("{}{name}{order} {}", set(dst), self.access(access, s))
            }
            Op::Store { access, value: v } => {
                let (order, v) = (suffix(access.order), value(access, v));
                format!("store{order} {}, {v}", self.access(access, s))
            }
            Op::StoreExclusive { failed, access, value: v } => {
                let (order, v) = (suffix(access.order), value(access, v));
                format!("{}storex{order} {}, {v}", set(failed), self.access(access, s))
            }
            Op::Rmw { dst, op, access, value: v } => {
                let (order, v) = (suffix(access.order), value(access, v));
                let (name, access) = (word_of(RMW, op), self.access(access, s));
                format!("{}rmw.{name}{order} {access}, {v}", maybe(dst))
            }
            Op::Cas { dst, success, access, expected, desired, failure, weak } => {
                let one = |dst: &Option<Reg>| dst.map_or("_".to_string(), |reg| s.handles.reg(reg));
                let set = match (dst, success) {
                    (None, None) => String::new(),
                    _ => format!("{}, {} = ", one(dst), one(success)),
                };
                let weak = if *weak { ".weak" } else { "" };
                let orders = format!("{}.{}", access.order.name(), failure.name());
                let (expected, desired) = (value(access, expected), value(access, desired));
                format!("{set}cas{weak}.{orders} {}, {expected}, {desired}", self.access(access, s))
            }
            Op::Mcas { success, words } => {
                let one = |word: &McasWord| {
                    let McasWord { access, expected, desired } = word;
                    let (expected, desired) = (value(access, expected), value(access, desired));
                    let order = access.order.name();
                    format!("({order} {}, {expected}, {desired})", self.access(access, s))
                };
                let words: Vec<String> = words.iter().map(one).collect();
                format!("{}mcas {}", maybe(success), words.join(", "))
            }
            _ => String::new(),
        }
    }

    /// A terminator, without its place.
    pub fn terminator(&mut self, end: &Terminator, function: &Function, handles: &Handles) {
        let s = Scope { function, handles };
        let any = |operand: &Operand| self.operand(operand, None, s);
        let after = |operand: &Option<Operand>| {
            operand.as_ref().map_or(String::new(), |operand| format!(" {}", any(operand)))
        };
        let text = match end {
            Terminator::Jump(target) => format!("jump {target}"),
            Terminator::Branch { cond, then, otherwise } => {
                let cond = self.operand(cond, Some(Width::BOOL), s);
                format!("branch {cond}, {then}, {otherwise}")
            }
            Terminator::Switch { value, cases, default } => {
                let w = s.width(value);
                let value = self.operand(value, Some(w), s);
                let mut list = String::new();
                for case in cases {
                    list += &number(case.low);
                    if case.high != case.low {
                        list += &format!("..{}", number(case.high));
                    }
                    list += &format!(": {}, ", case.target);
                }
                format!("switch {w} {value} {{{list}default: {default}}}")
            }
            Terminator::Return(value) => format!("return{}", after(value)),
            Terminator::ThreadExit(value) => format!("thread_exit{}", after(value)),
            Terminator::Exit(status) => format!("exit {}", any(status)),
            Terminator::Trap(message) => format!("trap {}", quoted(message)),
        };
        self.out.push_str(&text);
    }

    /// An operand where numbers of width `known` need no width.
    fn operand(&self, operand: &Operand, known: Option<Width>, s: Scope<'_>) -> String {
        let typed = |width: Width, text: String| match known {
            Some(known) if known == width => text,
            _ => format!("{width} {text}"),
        };
        match *operand {
            Operand::Reg(reg) => s.handles.reg(reg),
            Operand::Int { width, bits } => typed(width, signed_number(width, bits)),
            Operand::Global(global, offset) => self.global_address(global, offset),
            Operand::Slot(slot, offset) => with_offset(s.handles.slot(slot), offset),
            Operand::Function(function) => format!("&{}", self.function_name(function)),
            Operand::Undef(width) => typed(width, "undef".to_string()),
        }
    }

    fn access(&self, access: &Access, s: Scope<'_>) -> String {
        let address = self.operand(&access.address, Some(Width::PTR), s);
        let path = access.path.as_ref().map_or(String::new(), |path| format!(" {}", quoted(path)));
        let tags: Vec<String> = access.tags.iter().map(|tag| word(&tag.to_string())).collect();
        let tags =
            if tags.is_empty() { String::new() } else { format!(" tags({})", tags.join(", ")) };
        let align = match access.align {
            1 => String::new(),
            align => format!(" align {align}"),
        };
        let purpose = purpose(access.purpose);
        format!("{} [{address}{path}]{align}{purpose}{tags}", access.width)
    }

    fn callee(&self, callee: &Callee, s: Scope<'_>) -> String {
        match callee {
            Callee::Direct(function) => self.function_name(*function),
            Callee::Indirect(address) => {
                format!("*{}", self.operand(address, Some(Width::PTR), s))
            }
        }
    }

    fn args(&self, args: &[Operand], s: Scope<'_>) -> String {
        let args: Vec<String> = args.iter().map(|arg| self.operand(arg, None, s)).collect();
        format!("({})", args.join(", "))
    }

    fn choice(&self, choice: &Choice, width: Width, s: Scope<'_>) -> String {
        let one = |operand: &Operand| self.operand(operand, Some(width), s);
        match choice {
            Choice::Range(low, high) => format!("{}..{}", one(low), one(high)),
            Choice::Set(values) => {
                let values: Vec<String> = values.iter().map(one).collect();
                format!("{{{}}}", values.join(", "))
            }
            Choice::Any => "any".to_string(),
        }
    }

    fn piece(&self, piece: &PrintPiece, s: Scope<'_>) -> String {
        match piece {
            PrintPiece::Text(text) => format!(", {}", quoted(text)),
            PrintPiece::Value { format, value } => {
                let any = |operand: &Operand| self.operand(operand, None, s);
                let extra = |name: &str, operand: &Option<Operand>| {
                    operand.as_ref().map_or(String::new(), |o| format!(" {name} {}", any(o)))
                };
                let (width, prec) =
                    (extra("width", &format.width), extra("prec", &format.precision));
                format!(", {}({}{width}{prec})", format_word(format), any(value))
            }
        }
    }
}

/// The word of a format with its flags: `hex.alt.zero`.
fn format_word(format: &PrintFormat) -> String {
    let mut text = word_of(CONVERSION, &format.conversion).to_string();
    for (flag, name) in flags(&mut format.clone()) {
        if *flag {
            text += &format!(".{name}");
        }
    }
    text
}

fn fence_text(fence: &Fence) -> String {
    match fence {
        Fence::Directed(directions) => format!("fence {directions}"),
        Fence::C11(order) => format!("fence.{}", order.name()),
        Fence::Compiler => "fence compiler".to_string(),
        Fence::Named(name) => format!("fence {}", quoted(name)),
    }
}
