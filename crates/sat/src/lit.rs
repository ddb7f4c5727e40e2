//! Literals: a variable or its negation, numbered as in DIMACS files.

use std::fmt;
use std::num::NonZeroI32;
use std::ops::Not;

/// A variable (positive) or its negation (negative). Variable 1 is true in every formula.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(NonZeroI32);

impl Lit {
    /// The literal that holds in every model.
    pub const TRUE: Self = Self(NonZeroI32::new(1).unwrap());
    /// The literal that holds in no model.
    pub const FALSE: Self = Self(NonZeroI32::new(-1).unwrap());

    /// The literal with this DIMACS number; none for 0, which is not one.
    pub fn from_dimacs(number: i32) -> Option<Self> {
        (number != i32::MIN).then(|| NonZeroI32::new(number).map(Self)).flatten()
    }

    /// The positive literal of a variable; variables are numbered from 1.
    ///
    /// # Panics
    /// If no solver could number that variable.
    pub(crate) fn positive(variable: u32) -> Self {
        i32::try_from(variable).ok().and_then(Self::from_dimacs).expect("a variable in range")
    }

    /// Its number in a DIMACS file.
    pub fn dimacs(self) -> i32 {
        self.0.get()
    }

    /// Its variable.
    pub fn variable(self) -> u32 {
        self.0.get().unsigned_abs()
    }

    /// Whether it is the variable itself, not its negation.
    pub fn is_positive(self) -> bool {
        self.0.get() > 0
    }

    /// Whether it is [`Lit::TRUE`] or [`Lit::FALSE`].
    pub fn is_constant(self) -> bool {
        self.variable() == 1
    }

    /// The constant of that truth value.
    pub fn constant(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }
}

impl Not for Lit {
    type Output = Self;

    fn not(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negation_is_an_involution_and_the_constants_are_each_others() {
        let lit = Lit::from_dimacs(-7).unwrap();
        assert_eq!(!!lit, lit);
        assert_eq!((!lit).dimacs(), 7);
        assert_eq!(!Lit::TRUE, Lit::FALSE);
        assert_eq!(Lit::TRUE.dimacs(), 1);
        assert_eq!(Lit::from_dimacs(0), None);
        assert_eq!(Lit::from_dimacs(i32::MIN), None);
    }
}
