//! Operands of inline assembly: what their constraints say about where they are.

use crate::sema::tree::Expr;

/// Where an operand is.
#[derive(Clone, Debug)]
pub(super) enum Home {
    /// In this register.
    Register(usize),
    /// In memory: this object.
    Memory(Expr),
    /// In the instruction itself.
    Constant(Expr),
    /// In the flags (`=@ccz`); the template cannot name it.
    Flags,
}

/// Where a constraint lets an operand be. Where there is a choice, this is a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// A register, and which, if it says so.
    Register(Option<char>),
    /// Memory.
    Memory,
}

/// What a constraint says, besides `=`, `+` and the like; `None` if it is not understood.
pub(super) fn place(constraint: &str) -> Option<Place> {
    let (mut memory, mut any, mut machine) = (false, false, None);
    for letter in constraint.chars() {
        match letter {
            '=' | '+' | '&' | '%' | '*' | '!' | '?' | ',' | ' ' => {}
            'm' | 'o' | 'V' => memory = true,
            'r' | 'q' | 'Q' | 'R' | 'l' | 'g' | 'X' => any = true,
            'i' | 'n' | 'e' | 'E' | 'I' | 'J' | 'K' | 'L' | 'M' | 'N' | 'O' | 'Z' => any = true,
            'a' | 'b' | 'c' | 'd' | 'S' | 'D' => machine = Some(letter),
            _ => return None,
        }
    }
    match (any, machine, memory) {
        (true, ..) => Some(Place::Register(None)),
        (false, Some(_), _) => Some(Place::Register(machine)),
        (false, None, true) => Some(Place::Memory),
        (false, None, false) => None,
    }
}

/// Whether a constraint lets a constant stand in the instruction itself.
pub(super) fn may_be_constant(constraint: &str) -> bool {
    constraint.contains(|letter| "ineEgXIJKLMNOZ".contains(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_say_where_operands_are() {
        for (constraint, expected) in [
            ("=r", Place::Register(None)),
            ("=&q", Place::Register(None)),
            ("+m", Place::Memory),
            ("=a", Place::Register(Some('a'))),
            ("rm", Place::Register(None)),
            ("=q,m", Place::Register(None)),
            ("Ir", Place::Register(None)),
            ("i", Place::Register(None)),
        ] {
            assert_eq!(place(constraint), Some(expected), "{constraint}");
        }
        for constraint in ["=t", "x", "=A", "", "p"] {
            assert_eq!(place(constraint), None, "{constraint}");
        }
    }

    #[test]
    fn constants_may_stand_in_instructions() {
        assert!(may_be_constant("Ir") && may_be_constant("i") && may_be_constant("ri"));
        assert!(!may_be_constant("r") && !may_be_constant("a") && !may_be_constant("m"));
    }
}
