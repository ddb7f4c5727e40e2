//! The evaluator's operators against their definitions, on random sets and relations.

use execution::event::{Event, EventId, EventKind, Execution, ThreadId};
use execution::ids::Id;
use execution::relation::{EventSet, Relation};
use models::{Model, Shown, check_execution};
use proptest::prelude::*;

/// A relation as a table, on which the definitions are easy to write down.
type Table = Vec<Vec<bool>>;

fn table(size: usize, related: impl Fn(usize, usize) -> bool) -> Table {
    (0..size).map(|a| (0..size).map(|b| related(a, b)).collect()).collect()
}

fn compose(r: &Table, s: &Table) -> Table {
    let size = r.len();
    table(size, |a, b| (0..size).any(|m| r[a][m] && s[m][b]))
}

fn union(r: &Table, s: &Table) -> Table {
    table(r.len(), |a, b| r[a][b] || s[a][b])
}

/// The union of all powers.
fn closure(r: &Table) -> Table {
    let mut sum = r.clone();
    loop {
        let next = union(&sum, &compose(&sum, r));
        if next == sum {
            return sum;
        }
        sum = next;
    }
}

fn shown(execution: &Execution, expr: &str) -> Shown {
    let model = Model::from_text("t", &format!("show {expr} as it")).unwrap();
    let mut shows = check_execution(&model, execution).unwrap().shows;
    shows.remove(0).1
}

fn evaluated(execution: &Execution, expr: &str) -> Table {
    let size = execution.events.len();
    match shown(execution, expr) {
        Shown::Relation(r) => table(size, |a, b| r.contains(EventId::new(a), EventId::new(b))),
        Shown::Set(s) => table(size, |a, b| a == b && s.contains(EventId::new(a))),
    }
}

/// Relations `r` and `s` under the names `addr` and `data`, sets under `A` and `L`.
fn execution(size: usize, r: &Table, s: &Table, p: &[bool], q: &[bool]) -> Execution {
    let mut execution = Execution::default();
    for i in 0..size {
        execution.events.push(Event {
            thread: Some(ThreadId::new(i % 3)),
            kind: EventKind::Other,
            location: None,
            value: Some(format!("{}", i % 5).into()),
            label: String::new(),
            instruction: i as u32,
            source: None,
        });
    }
    for (name, table) in [("addr", r), ("data", s)] {
        let mut relation = Relation::empty(size);
        for (a, row) in table.iter().enumerate() {
            for b in (0..size).filter(|&b| row[b]) {
                relation.insert(EventId::new(a), EventId::new(b));
            }
        }
        execution.relations.insert(name.into(), relation);
    }
    for (name, members) in [("A", p), ("L", q)] {
        let mut set = EventSet::empty(size);
        (0..size).filter(|&i| members[i]).for_each(|i| set.insert(EventId::new(i)));
        execution.sets.insert(name.into(), set);
    }
    execution
}

/// Sizes around the ends of machine words matter.
fn relations() -> impl Strategy<Value = (Table, Table, Vec<bool>, Vec<bool>)> {
    prop_oneof![1usize..12, Just(63usize), Just(64), Just(65), Just(70)].prop_flat_map(|size| {
        let density = (1.5 / size as f64).min(0.5);
        let row = move || prop::collection::vec(prop::bool::weighted(density), size);
        let table = move || prop::collection::vec(row(), size);
        let set = move || prop::collection::vec(any::<bool>(), size);
        (table(), table(), set(), set())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn operators_follow_their_definitions((r, s, p, q) in relations()) {
        let n = r.len();
        let e = execution(n, &r, &s, &p, &q);
        let id = table(n, |a, b| a == b);
        let thread = |a: usize| a % 3;
        let expected: Vec<(&str, Table)> = vec![
            ("addr | data", union(&r, &s)),
            ("addr & data", table(n, |a, b| r[a][b] && s[a][b])),
            ("addr \\ data", table(n, |a, b| r[a][b] && !s[a][b])),
            ("~addr", table(n, |a, b| !r[a][b])),
            ("addr; data", compose(&r, &s)),
            ("addr^-1", table(n, |a, b| r[b][a])),
            ("addr?", union(&r, &id)),
            ("addr+", closure(&r)),
            ("addr*", union(&closure(&r), &id)),
            ("(addr; data?)+ & ext", {
                let t = closure(&compose(&r, &union(&s, &id)));
                table(n, |a, b| t[a][b] && thread(a) != thread(b))
            }),
            ("[A]; addr; [L]", table(n, |a, b| p[a] && r[a][b] && q[b])),
            ("addr & (A * L)", table(n, |a, b| p[a] && r[a][b] && q[b])),
            ("A * L", table(n, |a, b| p[a] && q[b])),
            ("A | L", table(n, |a, b| a == b && (p[a] || q[a]))),
            ("A \\ L", table(n, |a, b| a == b && p[a] && !q[a])),
            ("~A", table(n, |a, b| a == b && !p[a])),
            ("domain(addr)", table(n, |a, b| a == b && r[a].contains(&true))),
            ("range(addr)", table(n, |a, b| a == b && (0..n).any(|c| r[c][a]))),
            ("int", table(n, |a, b| thread(a) == thread(b))),
            ("different-values(addr)", table(n, |a, b| r[a][b] && a % 5 != b % 5)),
        ];
        for (expr, table) in expected {
            prop_assert_eq!(evaluated(&e, expr), table, "{}", expr);
        }
    }

    /// Mutual recursion is the least solution: iterating the equations from nothing.
    #[test]
    fn fixpoints_are_least((r, s, _, _) in relations()) {
        let n = r.len();
        let e = execution(n, &r, &s, &vec![false; n], &vec![false; n]);
        let nothing = table(n, |_, _| false);
        let (mut x, mut y) = (nothing.clone(), nothing);
        loop {
            let next_x = union(&r, &compose(&y, &x));
            let next_y = union(&s, &compose(&x, &y));
            if (&next_x, &next_y) == (&x, &y) {
                break;
            }
            (x, y) = (next_x, next_y);
        }
        let text = "(let rec x = addr | y; x and y = data | x; y in (x, y))";
        let first = format!("let (x, y) = {text} show x");
        let second = format!("let (x, y) = {text} show y");
        for (text, expected) in [(first, x), (second, y)] {
            let model = Model::from_text("t", &text).unwrap();
            let shows = check_execution(&model, &e).unwrap().shows;
            let Shown::Relation(found) = &shows[0].1 else { panic!("a relation") };
            let found = table(n, |a, b| found.contains(EventId::new(a), EventId::new(b)));
            prop_assert_eq!(found, expected);
        }
    }

    /// `acyclic` agrees with the closure, `irreflexive` and `empty` with their definitions.
    #[test]
    fn checks_follow_their_definitions((r, s, p, q) in relations()) {
        let n = r.len();
        let e = execution(n, &r, &s, &p, &q);
        let closed = closure(&r);
        let cyclic = (0..n).any(|a| closed[a][a]);
        let allowed = |text: &str| {
            let model = Model::from_text("t", text).unwrap();
            check_execution(&model, &e).unwrap().allowed()
        };
        prop_assert_eq!(allowed("acyclic addr"), !cyclic);
        prop_assert_eq!(allowed("irreflexive addr+"), !cyclic);
        prop_assert_eq!(allowed("irreflexive addr"), (0..n).all(|a| !r[a][a]));
        prop_assert_eq!(allowed("empty addr & data"), (0..n).all(|a| (0..n).all(|b| !(r[a][b] && s[a][b]))));
        prop_assert_eq!(allowed("~acyclic addr"), cyclic);
        let model = Model::from_text("t", "acyclic addr").unwrap();
        if let Some(failure) = check_execution(&model, &e).unwrap().failed {
            let cycle = failure.events;
            for (i, a) in cycle.iter().enumerate() {
                let b = cycle[(i + 1) % cycle.len()];
                prop_assert!(r[a.index()][b.index()], "the cycle's steps are in the relation");
            }
        }
    }
}
