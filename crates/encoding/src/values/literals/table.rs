//! Operations on values that have a literal per element, as tables.
//!
//! An operation on one such value renames its literals, merging those with the same result. An
//! operation on two is a matrix of results; equal rows and equal columns are merged first, which
//! leaves a renaming where an operand does not matter, and few clauses elsewhere: row and
//! column together imply the result, and the results exclude each other.

use crate::values::evaluate;
use ir::op::BinaryOp;
use ir::program::Width;
use ir::value::Value;
use sat::{Formula, Lit};
use std::collections::HashMap;
use std::hash::Hash;

/// The elements of a value, each with the literal that it is this one. At most one holds, and one
/// does wherever the value is computed at all.
pub type Hot = Vec<(Value, Lit)>;

/// New literals for a value that is exactly one of these.
pub fn fresh(f: &mut Formula, elements: &[Value]) -> Hot {
    let lits = match elements.len() {
        1 => vec![Lit::TRUE],
        2 => {
            let second = f.fresh();
            vec![!second, second]
        }
        n => {
            let lits: Vec<Lit> = (0..n).map(|_| f.fresh()).collect();
            if n > 0 {
                f.exactly_one(&lits);
            }
            lits
        }
    };
    elements.iter().copied().zip(lits).collect()
}

/// Literals for the classes of a value's elements.
pub fn classes<K: Hash + Eq + Clone>(
    f: &mut Formula,
    a: &[(Value, Lit)],
    class: impl Fn(&Value) -> K,
) -> Vec<(K, Lit)> {
    let mut order: Vec<K> = Vec::new();
    let mut members: HashMap<K, Vec<Lit>> = HashMap::new();
    for (value, lit) in a {
        let key = class(value);
        let lits = members.entry(key.clone()).or_default();
        if lits.is_empty() {
            order.push(key);
        }
        lits.push(*lit);
    }
    if let [only] = &order[..] {
        return vec![(only.clone(), Lit::TRUE)];
    }
    let mut lits: Vec<Lit> = order.iter().map(|key| f.or(&members[key])).collect();
    if let [first, second] = &mut lits[..] {
        // One of the two is the opposite of the other: keep the one that is cheaper.
        if members[&order[0]].len() > members[&order[1]].len() {
            *first = !*second;
        } else {
            *second = !*first;
        }
    }
    order.into_iter().zip(lits).collect()
}

/// The operation on one value.
pub fn map(f: &mut Formula, a: &[(Value, Lit)], op: impl Fn(&Value) -> Value) -> Hot {
    classes(f, a, op)
}

/// A table of two values.
pub fn pairs<R: Hash + Eq + Clone>(
    f: &mut Formula,
    a: &[(Value, Lit)],
    b: &[(Value, Lit)],
    op: impl Fn(&Value, &Value) -> R,
) -> Vec<(R, Lit)> {
    let row = |x: &Value| b.iter().map(|(y, _)| op(x, y)).collect::<Vec<R>>();
    let column = |y: &Value| a.iter().map(|(x, _)| op(x, y)).collect::<Vec<R>>();
    let rows = classes(f, a, row);
    let columns = classes(f, b, column);
    match (&rows[..], &columns[..]) {
        ([], _) | (_, []) => return Vec::new(),
        ([_], _) => return classes(f, b, |y| op(&a[0].0, y)),
        (_, [_]) => return classes(f, a, |x| op(x, &b[0].0)),
        _ => {}
    }
    // The place of a column class is that of any of its members.
    let places: Vec<usize> = columns
        .iter()
        .map(|(key, _)| b.iter().position(|(y, _)| column(y) == *key).expect("it has members"))
        .collect();
    let mut results: Vec<R> = Vec::new();
    let mut numbers: HashMap<R, usize> = HashMap::new();
    for (row, _) in &rows {
        for &place in &places {
            numbers.entry(row[place].clone()).or_insert_with(|| {
                results.push(row[place].clone());
                results.len() - 1
            });
        }
    }
    let lits: Vec<Lit> = match results.len() {
        1 => vec![Lit::TRUE],
        2 => {
            let lit = f.fresh();
            vec![lit, !lit]
        }
        n => (0..n).map(|_| f.fresh()).collect(),
    };
    for (row, a) in &rows {
        for (&place, (_, b)) in places.iter().zip(&columns) {
            f.clause(&[!*a, !*b, lits[numbers[&row[place]]]]);
        }
    }
    if lits.len() > 2 {
        f.exactly_one(&lits);
    }
    results.into_iter().zip(lits).collect()
}

/// `condition ? a : b`, where no condition is undefined.
pub fn choose(f: &mut Formula, condition: Lit, a: &[(Value, Lit)], b: &[(Value, Lit)]) -> Hot {
    let find = |hot: &[(Value, Lit)], value: &Value| {
        hot.iter().find(|(v, _)| v == value).map_or(Lit::FALSE, |(_, lit)| *lit)
    };
    let mut keys: Vec<Value> = a.iter().chain(b).map(|(value, _)| *value).collect();
    keys.sort_unstable_by_key(crate::values::set::key);
    keys.dedup();
    match keys[..] {
        [only] => vec![(only, Lit::TRUE)],
        [first, second] => {
            let lit = f.ite(condition, find(a, &second), find(b, &second));
            vec![(first, !lit), (second, lit)]
        }
        _ => {
            let choose = |key: Value| (key, f.ite(condition, find(a, &key), find(b, &key)));
            keys.into_iter().map(choose).collect()
        }
    }
}

/// The literal that two values agree in what `key` says of them; elements without a key agree with
/// nothing.
pub fn agree<K: Hash + Eq + Clone>(
    f: &mut Formula,
    a: &[(Value, Lit)],
    b: &[(Value, Lit)],
    key: impl Fn(&Value) -> Option<K>,
) -> Lit {
    let (a, b) = (classes(f, a, &key), classes(f, b, &key));
    let find = |in_: &[(Option<K>, Lit)], key: &Option<K>| {
        in_.iter().find(|(k, _)| k == key && k.is_some()).map(|(_, lit)| *lit)
    };
    let common: Vec<(Lit, Lit)> =
        a.iter().filter_map(|(key, x)| find(&b, key).map(|y| (*x, y))).collect();
    match common[..] {
        [] => return Lit::FALSE,
        [(x, y)] => return f.and(&[x, y]),
        _ => {}
    }
    if a.len() == 2 && b.len() == 2 && common.len() == 2 {
        return f.iff2(common[0].0, common[0].1);
    }
    let agree = f.fresh();
    for &(x, y) in &common {
        f.clause(&[!x, !y, agree]);
        f.clause(&[!agree, !x, y]);
        f.clause(&[!agree, x, !y]);
    }
    // They agree in something.
    let some: Vec<Lit> = common.iter().map(|(x, _)| *x).collect();
    f.implies_any(&[agree], &some);
    agree
}

/// `a op b`.
pub fn binary(f: &mut Formula, op: BinaryOp, a: &[(Value, Lit)], b: &[(Value, Lit)]) -> Hot {
    let defined = |hot: &[(Value, Lit)]| hot.iter().all(|(value, _)| value.is_defined());
    // Equality takes clauses only for what both have.
    if matches!(op, BinaryOp::Eq | BinaryOp::Ne)
        && defined(a)
        && defined(b)
        && a.len() * b.len() > 0
    {
        let equal = agree(f, a, b, |value| Some(value.bits));
        let lit = if op == BinaryOp::Eq { equal } else { !equal };
        return vec![(Value::bool(false), !lit), (Value::bool(true), lit)];
    }
    pairs(f, a, b, |a, b| evaluate::binary(op, *a, *b))
}

/// `c ? a : b`; where it is not known which, the bits that differ are undefined.
pub fn select(f: &mut Formula, c: &[(Value, Lit)], a: &[(Value, Lit)], b: &[(Value, Lit)]) -> Hot {
    let which = classes(f, c, |c| c.is_defined().then_some(c.bits != 0));
    let find = |key| which.iter().find(|(k, _)| *k == key).map_or(Lit::FALSE, |(_, lit)| *lit);
    let decided = match (find(Some(true)), find(Some(false))) {
        (Lit::FALSE, Lit::FALSE) => Hot::new(),
        (Lit::FALSE, _) => b.to_vec(),
        (_, Lit::FALSE) => a.to_vec(),
        (yes, _) => choose(f, yes, a, b),
    };
    match find(None) {
        Lit::FALSE => decided,
        undecided => {
            let mixed = pairs(f, a, b, |a, b| Value::undef(Width::BOOL).select(*a, *b));
            choose(f, undecided, &mixed, &decided)
        }
    }
}
