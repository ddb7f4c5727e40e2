//! The literals of random term graphs against evaluation by `ir::value`.

use super::execute::{self, Inputs};
use super::random::{self, Builder, Numbers};
use crate::bounded::{Alternatives, Bounded, Input};
use crate::guard::Guard;
use crate::term::{Term, TermId};
use crate::values::set::Set;
use crate::values::{Sets, ValueOptions, Values, analyse};
use execution::ids::Id;
use ir::op::BinaryOp;
use ir::program::Width;
use ir::value::{RegionId, Value};
use proptest::prelude::*;
use sat::{Answer, BackendKind, Formula, Lit};
use std::sync::Arc;

/// A random value: a number, something undefined, or a pointer.
fn value(numbers: &mut Numbers, width: Width) -> Value {
    let mut word = || u128::from(numbers.next()) << 64 | u128::from(numbers.next());
    let (bits, some) = (word() & width.mask(), word() & width.mask());
    let bits = numbers.pick(&[bits, bits & 7, 0, 1, width.mask(), 1 << (width.bits() - 1)]);
    let undef = match numbers.below(4) {
        0 => numbers.pick(&[some, some & 7, width.mask()]),
        _ => 0,
    };
    let region = |n: usize| (n < 2).then(|| RegionId::new(n));
    let provenance = region(numbers.below(6));
    let high = region(numbers.below(6)).filter(|_| width > Width::I64);
    Value { bits: bits & !undef, undef, provenance, high, width }
}

/// Inputs of a width, and terms over them. Reads return one of several constants.
fn graph(numbers: &mut Numbers, width: Width, plain: bool) -> (Bounded, Vec<Guard>) {
    let mut builder = Builder::new(4);
    builder.thread();
    let mut terms = vec![builder.number(width, numbers.next().into())];
    for region in 0..3 {
        let term = match numbers.below(4) {
            0 => builder.choice(width, Alternatives::Any),
            1 => {
                let low = numbers.below(5) as i128 - 2;
                let most = numbers.pick(&[3, 3, 1000]);
                builder.choice(width, Alternatives::Range(low, low + most))
            }
            _ => {
                let address = builder.pointer(region, 0);
                for _ in 0..1 + numbers.below(5) {
                    let value = value(numbers, width);
                    let value = if plain { Value::int(width, value.bits) } else { value };
                    let value = builder.bounded.terms.value(value);
                    builder.write(address, value, Guard::TRUE);
                }
                builder.read_wide(width, address, Guard::TRUE)
            }
        };
        terms.push(term);
    }
    let mut guards = Vec::new();
    for _ in 0..4 + numbers.below(5) {
        terms.push(random::operation(&mut builder.bounded, numbers, &terms));
        guards.push(random::condition(&mut builder.bounded, numbers, &terms));
    }
    (builder.bounded, guards)
}

/// A value of each input that its set and the program allow.
fn inputs(bounded: &Bounded, sets: &Sets, numbers: &mut Numbers) -> Inputs {
    let mut inputs = Inputs::new();
    for t in bounded.terms.ids() {
        let Term::Input(input) = *bounded.terms.term(t) else { continue };
        let width = bounded.terms.width(t);
        let value = match (&bounded.inputs[input], sets.of(bounded, t).into_owned()) {
            (Input::Choice { from: Alternatives::Range(low, high), .. }, _) => {
                Value::signed(width, low + numbers.below((high - low + 1) as usize) as i128)
            }
            (_, Set::Few(values)) => numbers.pick(&values),
            (_, Set::Many(shape)) => {
                let random = value(numbers, width);
                let undef = random.undef & shape.undef;
                let bits = (random.bits & shape.ones & !undef) | shape.fixed;
                let provenance = numbers.pick(&shape.provenance);
                Value { bits, undef, provenance, high: numbers.pick(&shape.high), width }
            }
        };
        inputs.insert(input, value);
    }
    inputs
}

/// All literals that can be asked for, with what they must be.
fn expectations(
    bounded: &Bounded,
    guards: &[Guard],
    values: &mut Values,
    f: &mut Formula,
    known: &Inputs,
) -> Vec<(Lit, bool, String)> {
    let mut all = Vec::new();
    let of = |t: TermId| execute::value(&bounded.terms, known, t).expect("all inputs are known");
    for &guard in guards {
        let holds = execute::holds(&bounded.terms, known, guard).expect("all inputs are known");
        all.push((values.guard(f, guard), holds, format!("{guard:?}")));
    }
    let ids: Vec<TermId> = bounded.terms.ids().collect();
    for &t in &ids {
        let value = of(t);
        let text = format!("{t:?} = {:?} is {value:?}", bounded.terms.term(t));
        all.push((values.is(f, t, &value), true, text.clone()));
        all.push((values.undefined(f, t), !value.is_defined(), format!("undefined {text}")));
        if value.width == Width::BOOL {
            all.push((values.truth(f, t), value.bits == 1, format!("truth of {text}")));
        }
        for element in values.elements(t).unwrap_or_default() {
            let is = values.is(f, t, &element);
            all.push((is, element == value, format!("{element:?} in {text}")));
        }
        if let Term::Binary(op, a, b) = *bounded.terms.term(t)
            && matches!(op, BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem)
        {
            let fails = of(a).binary(op, of(b)).is_err();
            all.push((values.division_fails(f, op, a, b), fails, format!("failure of {text}")));
        }
    }
    for pair in ids.windows(2).filter(|p| bounded.terms.width(p[0]) == bounded.terms.width(p[1])) {
        let [x, y] = [of(pair[0]), of(pair[1])];
        let same = x.is_defined() && y.is_defined() && x.bits == y.bits;
        all.push((values.same_address(f, pair[0], pair[1]), same, format!("{pair:?} same")));
    }
    all
}

fn check(seed: u64, width: Width, plain: bool, options: ValueOptions) -> Result<(), TestCaseError> {
    let mut numbers = Numbers(seed);
    let (bounded, guards) = graph(&mut numbers, width, plain);
    let bounded = Arc::new(bounded);
    let sets = analyse(&bounded, &options);
    let mut f = Formula::new(BackendKind::Batsat);
    let mut values = Values::new(bounded.clone(), sets.clone());
    for _ in 0..2 {
        let known = inputs(&bounded, &sets, &mut numbers);
        let mut fixed = Vec::new();
        for t in bounded.terms.ids() {
            if let Term::Input(input) = *bounded.terms.term(t) {
                fixed.push(values.is(&mut f, t, &known[&input]));
            }
        }
        let all = expectations(&bounded, &guards, &mut values, &mut f, &known);
        prop_assert_eq!(f.solve(&fixed), Answer::Sat);
        for (lit, expected, text) in &all {
            prop_assert_eq!(f.value(*lit), *expected, "{}", text);
        }
        for t in bounded.terms.ids() {
            let value = execute::value(&bounded.terms, &known, t).expect("all inputs are known");
            prop_assert_eq!(values.decode(&f, t), value);
        }
        // And it cannot be otherwise.
        let otherwise = f.fresh();
        let wrong: Vec<Lit> =
            all.iter().map(|(lit, is, _)| if *is { !*lit } else { *lit }).collect();
        f.implies_any(&[otherwise], &wrong);
        fixed.push(otherwise);
        prop_assert_eq!(f.solve(&fixed), Answer::Unsat);
    }
    Ok(())
}

fn widths() -> impl Strategy<Value = Width> {
    let bits = prop_oneof![3 => Just(1u32), 6 => Just(8), 2 => Just(12), 3 => Just(32), 1 => Just(64), 1 => Just(128)];
    bits.prop_map(|bits| Width::from_bits(bits).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn terms_have_exactly_their_values(
        seed in 1u64..,
        width in widths(),
        plain in any::<bool>(),
        limit in prop_oneof![Just(2usize), Just(4), Just(256)],
        value_sets in prop::bool::weighted(0.8),
    ) {
        check(seed, width, plain, ValueOptions { value_sets, limit, ..ValueOptions::default() })?;
    }
}
