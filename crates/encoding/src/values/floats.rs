//! Floating-point operations: which of them can be encoded.
//!
//! There are no circuits for floating point. An operation is a table over the values that its
//! operands may have, each entry computed by [`ir::value::float`], and so it is exact; where the
//! operands may have too many values, the program is refused at the operation's line. What nothing
//! depends on, such as a number that is only printed, may be anything.
//!
//! Soundness S-102 (check, verify; all; refuses): A floating-point operation is a table of up to
//! 4,096 pairs of operand values; with more values, or with `--no-value-sets`, the solver refuses
//! it at its line if anything but printing depends on it. Test:
//! crates/encoding/src/values/floats.rs::what_would_be_a_large_table_is_refused_if_it_matters,
//! crates/fencepost/tests/verify.rs::floating_point_arithmetic_on_any_number_is_refused_at_its_line_if_something_depends_on_it.

use super::{Sets, ValueOptions, operands};
use crate::bounded::{ActionKind, Bounded, Wrong};
use crate::term::TermId;
use crate::unroll::Unsupported;
use std::collections::HashSet;

/// Tables of more entries than this are not written down.
const LARGEST_TABLE: usize = 4096;

/// Refuses a program in which something depends on an operation that would not be a table.
pub fn check(bounded: &Bounded, sets: &Sets, options: &ValueOptions) -> Result<(), Unsupported> {
    let known = |&(&id, _): &(&TermId, _)| !is_table(bounded, sets, options, id);
    let mut large = bounded.floats.iter().filter(known).peekable();
    if large.peek().is_none() {
        return Ok(());
    }
    let needed = needed(bounded);
    let Some((_, &place)) = large.find(|(id, _)| needed.contains(id)) else { return Ok(()) };
    let what = match options.value_sets {
        true => "floating-point arithmetic on values that are not known to be few",
        false => "floating-point arithmetic without value sets",
    };
    Err(Unsupported::new(what, place))
}

fn is_table(bounded: &Bounded, sets: &Sets, options: &ValueOptions, id: TermId) -> bool {
    let size = |t: TermId| sets.of(bounded, t).few().map(<[_]>::len);
    let entries = operands(bounded, id).try_fold(1, |product, t| Some(product * size(t)?));
    options.value_sets && entries.is_some_and(|entries: usize| entries <= LARGEST_TABLE)
}

/// The terms that the executions of a program depend on.
fn needed(bounded: &Bounded) -> HashSet<TermId> {
    let mut stack = roots(bounded);
    let mut found = HashSet::new();
    while let Some(id) = stack.pop() {
        if found.insert(id) {
            stack.extend(operands(bounded, id));
        }
    }
    found
}

/// The terms that a program is made from.
fn roots(bounded: &Bounded) -> Vec<TermId> {
    let mut roots = bounded.terms.guards.conditions().to_vec();
    for action in bounded.actions.iter() {
        match &action.kind {
            ActionKind::Read { access, .. } => roots.push(access.address),
            ActionKind::Write { access, value, .. } => roots.extend([access.address, *value]),
            ActionKind::Free { address, .. } => roots.push(*address),
            ActionKind::Allocate { block, .. } => roots.push(*block),
            ActionKind::Fence(_)
            | ActionKind::End(_)
            | ActionKind::Spawn(_)
            | ActionKind::Join(_) => {}
        }
    }
    for check in &bounded.checks {
        match check.wrong {
            Wrong::Always => {}
            Wrong::Zero(term) | Wrong::Undefined(term) => roots.push(term),
            Wrong::Division(_, a, b) => roots.extend([a, b]),
            Wrong::Overflow(term, both) => roots.extend([term].into_iter().chain(both)),
        }
    }
    roots.extend(bounded.assumptions.iter().filter_map(|assumption| assumption.condition));
    roots.extend(bounded.observations.iter().map(|observation| observation.value));
    roots.extend(bounded.detached.iter().map(|&(_, handle)| handle));
    roots.extend(bounded.allocations.iter().filter_map(|one| one.choice).map(|(_, term)| term));
    roots.extend(bounded.own_cells.iter().map(|&(_, value)| value));
    roots.extend(bounded.initial.values().map(|cell| cell.value));
    roots
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounded::Alternatives;
    use crate::guard::Guard;
    use crate::values::tests::random::Builder;
    use crate::values::{Values, analyse};
    use ir::op::{BinaryOp, CastOp, FloatBinary, FloatCast};
    use ir::program::Width;
    use ir::value::Value;
    use sat::{Answer, BackendKind, Formula};
    use std::sync::Arc;

    /// `(double)n / (double)m` of two choices from a range, which a thread stores.
    fn quotient(range: (i128, i128), stored: bool) -> (Bounded, [TermId; 3]) {
        let mut builder = Builder::new(1);
        builder.thread();
        let from = Alternatives::Range(range.0, range.1);
        let [n, m] = [0, 1].map(|_| builder.choice(Width::I32, from.clone()));
        let terms = &mut builder.bounded.terms;
        let cast = CastOp::Float(FloatCast::FromSigned);
        let [x, y] = [n, m].map(|term| terms.cast(cast, Width::I64, term));
        let z = terms.binary(BinaryOp::Float(FloatBinary::Div), x, y);
        builder.bounded.floats = [(x, None), (y, None), (z, None)].into();
        if stored {
            let address = builder.pointer(0, 0);
            builder.write(address, z, Guard::TRUE);
        }
        (builder.bounded, [n, m, z])
    }

    #[test]
    fn every_entry_of_a_table_is_what_the_evaluator_says() {
        let (bounded, [n, m, z]) = quotient((-3, 8), true);
        let sets = analyse(&bounded, &ValueOptions::default());
        assert!(check(&bounded, &sets, &ValueOptions::default()).is_ok());
        let mut values = Values::new(Arc::new(bounded), sets);
        let mut f = Formula::new(BackendKind::default());
        let int = |number: i32| Value::signed(Width::I32, number.into());
        for (a, b) in (-3..=8).flat_map(|a| (-3..=8).map(move |b| (a, b))) {
            let quotient = f64::from(a) / f64::from(b);
            let bits = if quotient.is_nan() { 0x7ff8 << 48 } else { quotient.to_bits() };
            let result = Value::int(Width::I64, bits.into());
            let (a, b) = (values.is(&mut f, n, &int(a)), values.is(&mut f, m, &int(b)));
            let is = values.is(&mut f, z, &result);
            assert_eq!(f.solve(&[a, b, is]), Answer::Sat);
            assert_eq!(f.solve(&[a, b, !is]), Answer::Unsat);
        }
    }

    #[test]
    fn what_would_be_a_large_table_is_refused_if_it_matters() {
        let options = ValueOptions::default();
        let verdict = |range, stored, options: &ValueOptions| {
            let (bounded, _) = quotient(range, stored);
            check(&bounded, &analyse(&bounded, options), options).map_err(|problem| problem.what)
        };
        assert_eq!(verdict((1, 60), true, &options), Ok(()));
        assert_eq!(verdict((1, 100_000), false, &options), Ok(()));
        let many = verdict((1, 100_000), true, &options).expect_err("too many");
        assert!(many.contains("not known to be few"), "{many}");
        let blind = ValueOptions { value_sets: false, ..options };
        let blind = verdict((1, 2), true, &blind).expect_err("no sets");
        assert!(blind.contains("without value sets"), "{blind}");
    }
}
