//! A value as literals, bit by bit: the bits, which of them are undefined, and the provenance.

use crate::values::circuit::{self, Number};
use crate::values::shape::{Provenances, Shape};
use ir::program::Width;
use ir::value::{RegionId, Value};
use sat::{Formula, Lit};

/// A value. Undefined bits are zero, and of the provenances exactly one is true.
#[derive(Clone, Debug)]
pub struct Bits {
    pub ones: Number,
    pub undef: Number,
    pub provenance: Pointing,
    pub high: Pointing,
}

/// The provenances that a value may have, each with the literal that it does.
pub type Pointing = Vec<(Option<RegionId>, Lit)>;

/// No provenance.
pub fn nowhere() -> Pointing {
    vec![(None, Lit::TRUE)]
}

impl Bits {
    /// A defined number without provenance.
    pub fn number(ones: Number) -> Bits {
        let undef = vec![Lit::FALSE; ones.len()];
        Bits { ones, undef, provenance: nowhere(), high: nowhere() }
    }

    /// Any value of a shape.
    pub fn fresh(f: &mut Formula, shape: &Shape) -> Bits {
        let width = shape.width.bits();
        let bit = |f: &mut Formula, place: u32| match shape.bit(place) {
            Some(bit) => Lit::constant(bit),
            None if shape.ones >> place & 1 == 0 => Lit::FALSE,
            None => f.fresh(),
        };
        let ones: Number = (0..width).map(|place| bit(f, place)).collect();
        let may_be_undefined = |place| shape.undef >> place & 1 == 1;
        let undef: Number = (0..width)
            .map(|place| if may_be_undefined(place) { f.fresh() } else { Lit::FALSE })
            .collect();
        for (&one, &undef) in ones.iter().zip(&undef).filter(|(_, undef)| !undef.is_constant()) {
            f.clause(&[!one, !undef]);
        }
        let provenance = pointing(f, &shape.provenance);
        let high = pointing(f, &shape.high);
        Bits { ones, undef, provenance, high }
    }

    /// The value that is one of these, each with the literal that it is this one; at most one of
    /// them is.
    pub fn one_of(f: &mut Formula, width: Width, elements: &[(Value, Lit)]) -> Bits {
        let mut column = |test: &dyn Fn(&Value) -> bool| {
            let (yes, no): (Vec<_>, Vec<_>) = elements.iter().partition(|(value, _)| test(value));
            let lits =
                |side: Vec<(Value, Lit)>| side.into_iter().map(|(_, lit)| lit).collect::<Vec<_>>();
            match (yes.is_empty(), no.is_empty()) {
                (true, _) => Lit::FALSE,
                (_, true) => Lit::TRUE,
                // The shorter side costs less, and one of two costs nothing.
                _ if no.len() < yes.len() => !f.or(&lits(no)),
                _ => f.or(&lits(yes)),
            }
        };
        let places = 0..width.bits();
        let ones = places.clone().map(|i| column(&|v| v.bits >> i & 1 == 1)).collect();
        let undef = places.map(|i| column(&|v| v.undef >> i & 1 == 1)).collect();
        let shape = Shape::of_values(&elements.iter().map(|(v, _)| *v).collect::<Vec<_>>());
        let (low, high) = shape.map_or((vec![None], vec![None]), |s| (s.provenance, s.high));
        let provenance = low.iter().map(|&p| (p, column(&|v| v.provenance == p))).collect();
        let high = high.iter().map(|&p| (p, column(&|v| v.high == p))).collect();
        Bits { ones, undef, provenance, high }
    }

    /// The literal that this is `value`, given that it has `shape`.
    pub fn is(&self, f: &mut Formula, value: &Value, shape: &Shape) -> Lit {
        if !shape.contains(value) {
            return Lit::FALSE;
        }
        let mut all = Vec::new();
        for place in (0..shape.width.bits()).filter(|&place| shape.bit(place).is_none()) {
            let [one, undef] = [value.bits, value.undef].map(|bits| bits >> place & 1 == 1);
            let [a, b] = [self.ones[place as usize], self.undef[place as usize]];
            all.extend([if one { a } else { !a }, if undef { b } else { !b }]);
        }
        all.push(find(&self.provenance, value.provenance));
        all.push(find(&self.high, value.high));
        f.and(&all)
    }

    /// The literal that some bit is undefined.
    pub fn any_undefined(&self, f: &mut Formula) -> Lit {
        f.or(&self.undef)
    }

    /// `condition ? a : b`.
    pub fn choose(f: &mut Formula, condition: Lit, a: &Bits, b: &Bits) -> Bits {
        Bits {
            ones: circuit::choose(f, condition, &a.ones, &b.ones),
            undef: circuit::choose(f, condition, &a.undef, &b.undef),
            provenance: choose(f, condition, &a.provenance, &b.provenance),
            high: choose(f, condition, &a.high, &b.high),
        }
    }

    /// Demands that two values are equal where the condition holds.
    pub fn equal_if(f: &mut Formula, condition: Lit, a: &Bits, b: &Bits) {
        let mut pairs: Vec<(Lit, Lit)> = Vec::new();
        pairs.extend(a.ones.iter().copied().zip(b.ones.iter().copied()));
        pairs.extend(a.undef.iter().copied().zip(b.undef.iter().copied()));
        for (a, b) in [(&a.provenance, &b.provenance), (&a.high, &b.high)] {
            pairs.extend(keys(a, b).into_iter().map(|key| (find(a, key), find(b, key))));
        }
        for (a, b) in pairs {
            f.clause(&[!condition, !a, b]);
            f.clause(&[!condition, a, !b]);
        }
    }

    /// The value in the model that was found.
    pub fn decode(&self, f: &Formula, width: Width) -> Value {
        let number = |lits: &[Lit]| {
            lits.iter().rev().fold(0, |bits, &lit| bits << 1 | u128::from(f.value(lit)))
        };
        let which = |pointing: &Pointing| {
            pointing.iter().find(|(_, lit)| f.value(*lit)).and_then(|(region, _)| *region)
        };
        let undef = number(&self.undef);
        let bits = number(&self.ones) & !undef;
        Value { bits, undef, provenance: which(&self.provenance), high: which(&self.high), width }
    }
}

fn pointing(f: &mut Formula, provenances: &Provenances) -> Pointing {
    let lits: Vec<Lit> = match provenances.len() {
        1 => vec![Lit::TRUE],
        n => (0..n).map(|_| f.fresh()).collect(),
    };
    if lits.len() > 1 {
        f.exactly_one(&lits);
    }
    provenances.iter().copied().zip(lits).collect()
}

/// The literal that a value has this provenance.
pub fn find(pointing: &Pointing, key: Option<RegionId>) -> Lit {
    pointing.iter().find(|(k, _)| *k == key).map_or(Lit::FALSE, |(_, lit)| *lit)
}

fn keys(a: &Pointing, b: &Pointing) -> Provenances {
    let mut keys: Provenances = a.iter().chain(b).map(|(key, _)| *key).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// `condition ? a : b`.
pub fn choose(f: &mut Formula, condition: Lit, a: &Pointing, b: &Pointing) -> Pointing {
    let choose = |key| (key, f.ite(condition, find(a, key), find(b, key)));
    keys(a, b).into_iter().map(choose).collect()
}

/// What a rule makes of two provenances.
pub fn combine(
    f: &mut Formula,
    a: &Pointing,
    b: &Pointing,
    rule: impl Fn(Option<RegionId>, Option<RegionId>) -> Option<RegionId>,
) -> Pointing {
    let mut results: Vec<(Option<RegionId>, Vec<Lit>)> = Vec::new();
    for &(x, a) in a {
        for &(y, b) in b {
            let (key, both) = (rule(x, y), f.and(&[a, b]));
            match results.iter_mut().find(|(k, _)| *k == key) {
                Some((_, lits)) => lits.push(both),
                None => results.push((key, vec![both])),
            }
        }
    }
    if let [(key, _)] = results[..] {
        return vec![(key, Lit::TRUE)];
    }
    results.into_iter().map(|(key, lits)| (key, f.or(&lits))).collect()
}
