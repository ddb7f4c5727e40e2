//! Removes what a program prints: nothing else depends on it.
//!
//! The number of characters that `printf` returns, where it is used, becomes any number
//! that such a format may give.
//! Arguments are not examined any more: a string that must not be read, or an undefined number,
//! is not a finding then.
//!
//! Soundness S-049 (check, verify; all; misses): What is printed is not examined: `%s` reads
//! nothing, and printing an undefined number is not a finding. Test:
//! crates/ir/src/passes/silent.rs::only_a_number_that_is_used_is_left.
//!
//! Soundness S-050 (check, verify; all; cries wolf, refuses): The number of characters that
//! `printf` returns is any that its format may give; `check` refuses an operation that depends on
//! that of `%s`, and the solver refuses `snprintf` with floating-point formats. Test:
//! crates/ir/src/passes/silent.rs::how_much_is_printed_depends_on_what_is_not_known,
//! crates/fencepost/tests/check.rs::what_printf_returns_is_what_the_replay_sees.

use crate::op::{Choice, Conversion, Inst, Op, Operand, PrintFormat, PrintPiece, PrintTarget};
use crate::program::{Function, Program, Reg, Width};
use std::collections::HashSet;

/// More characters than this are never printed at once.
const MOST: u128 = 1 << 20;
/// No number has more characters than this without a width or precision: 22 octal digits and a
/// zero.
const LONGEST_NUMBER: u128 = 23;

/// The same program without output; printing to memory stays.
pub(crate) fn silent(mut program: Program) -> Program {
    for function in program.functions.iter_mut() {
        let used = used(function);
        for block in function.blocks.iter_mut() {
            block.insts.retain_mut(|inst| match &inst.op {
                Op::Print { target: PrintTarget::Buffer { .. }, .. } => true,
                Op::Print { dst, pieces, .. } => match dst.filter(|dst| used.contains(dst)) {
                    Some(dst) => {
                        let op = number(dst, function.regs[dst].width, pieces);
                        *inst = Inst { op, place: inst.place };
                        true
                    }
                    None => false,
                },
                _ => true,
            });
        }
    }
    program
}

/// How many characters these are.
fn number(dst: Reg, width: Width, pieces: &[PrintPiece]) -> Op {
    let (least, most) = pieces.iter().map(length).fold((0, 0), |(least, most), (a, b)| {
        let add = |x: u128, y: u128| x.saturating_add(y).min(MOST & (width.mask() >> 1));
        (add(least, a), add(most, b))
    });
    match least == most {
        true => Op::Copy { dst, src: Operand::int(width, least) },
        false => {
            let (low, high) = (Operand::int(width, least), Operand::int(width, most));
            Op::Choose { dst, from: Choice::Range(low, high) }
        }
    }
}

/// The least and the greatest number of characters of a part.
fn length(piece: &PrintPiece) -> (u128, u128) {
    let format = match piece {
        PrintPiece::Text(text) => return (text.len() as u128, text.len() as u128),
        PrintPiece::Value { format, .. } => format,
    };
    let PrintFormat { width, precision, conversion, .. } = format;
    let precise = |most: u128| precision.as_ref().map_or(most, |operand| constant(operand).1);
    let (least, most) = match conversion {
        Conversion::Char => (1, 1),
        Conversion::String => (0, precise(MOST)),
        // With a precision of zero, a zero has no digits; there may be a sign, or `0x`.
        _ if precision.is_some() => (0, LONGEST_NUMBER.max(precise(0).saturating_add(2))),
        _ => (1, LONGEST_NUMBER),
    };
    let (narrow, wide) = width.as_ref().map_or((0, 0), constant);
    (least.max(narrow), most.max(wide))
}

/// What a width or a precision may be.
fn constant(operand: &Operand) -> (u128, u128) {
    match operand {
        // A negative width is one to the left, a negative precision none: that may be anything.
        Operand::Int { width, bits } if *bits <= width.mask() >> 1 => (*bits, *bits),
        _ => (0, MOST),
    }
}

/// The registers that are read somewhere.
fn used(function: &Function) -> HashSet<Reg> {
    let mut used = HashSet::new();
    for block in function.blocks.iter() {
        let operands = block.insts.iter().flat_map(|inst| inst.op.operands());
        for operand in operands.chain(block.terminator.operands()) {
            if let Operand::Reg(reg) = operand {
                used.insert(*reg);
            }
        }
    }
    used
}

#[cfg(test)]
mod tests {
    use super::silent;
    use crate::text::{parse, print};
    use execution::ids::Id;
    use execution::span::FileId;

    #[test]
    fn only_a_number_that_is_used_is_left() {
        let text = "fpir 1\nentry main\nfn main() -> i32 {\n  reg %a: i32, %c: i32\nb0:\n  \
                    %a = print stdout, \"a\"\n  print stdout, \"b\"\n  %c = print stderr, \"c\"\n  return %c\n}\n";
        let program = silent(parse(FileId::new(0), text).expect("a program").program);
        assert!(crate::verify::verify(&program).is_empty());
        let text = print(&program);
        assert!(!text.contains("print"), "{text}");
        assert!(!text.contains("choose"), "{text}");
        assert!(text.contains("%c = copy i32 1"), "{text}");
    }

    #[test]
    fn how_much_is_printed_depends_on_what_is_not_known() {
        let number = |pieces: &str| {
            let text = format!(
                "fpir 1\nentry main\nfn main() -> i32 {{\n  reg %a: i32, %c: i32\nb0:\n  \
                 %a = choose i32 any\n  %c = print stdout, {pieces}\n  return %c\n}}\n"
            );
            let program = silent(parse(FileId::new(0), &text).expect("a program").program);
            let text = print(&program);
            let line = text.lines().find_map(|line| line.trim().strip_prefix("%c = "));
            line.expect("a number").trim().to_string()
        };
        assert_eq!(number("\"two\", \"words\""), "copy i32 8");
        assert_eq!(number("\"n=\", dec(%a)"), "choose i32 3..25");
        assert_eq!(number("char(%a), \"\\n\""), "copy i32 2");
        assert_eq!(number("char(%a width i32 5)"), "copy i32 5");
        assert_eq!(number("str(i64 0 prec i32 4)"), "choose i32 0..4");
        assert_eq!(number("str(i64 0)"), "choose i32 0..1048576");
    }
}
