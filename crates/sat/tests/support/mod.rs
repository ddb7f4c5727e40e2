//! Instances and file readers that several tests share.

use sat::{BackendKind, Formula, Lit, order};

/// Pigeons that must not share a hole, and one hole too few: unsatisfiable, and soon hard.
pub fn pigeons(kind: BackendKind, pigeons: usize) -> Formula {
    let mut formula = Formula::new(kind);
    let holes: Vec<Vec<Lit>> =
        (0..pigeons).map(|_| (1..pigeons).map(|_| formula.fresh()).collect()).collect();
    for pigeon in &holes {
        formula.clause(pigeon);
    }
    for hole in 0..pigeons - 1 {
        let there: Vec<Lit> = holes.iter().map(|pigeon| pigeon[hole]).collect();
        formula.at_most_one(&there);
    }
    formula
}

/// A ring in which each node comes before the next, if the literal holds, which it cannot.
pub fn ring(kind: BackendKind, n: u32, strategy: order::Strategy) -> (Formula, Lit) {
    let mut formula = Formula::new(kind);
    let closed = formula.fresh();
    let mut edges = Vec::new();
    for a in 0..n {
        // Two ways from each node to the next, one of which is there.
        let ways = [formula.fresh(), formula.fresh()];
        formula.implies_any(&[closed], &ways);
        edges.extend(ways.map(|way| (a, (a + 1) % n, way)));
        // And something the other way round, so that the graph is not only a ring.
        edges.push(((a + 2) % n, a, formula.fresh()));
    }
    order::acyclic(&mut formula, n as usize, &edges, strategy);
    (formula, closed)
}

/// The clauses of a DIMACS file; the header has to be right.
pub fn read_dimacs(text: &str) -> (u32, Vec<Vec<i32>>) {
    let mut lines = text.lines().skip_while(|line| line.starts_with('c'));
    let header: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
    assert_eq!(header[..2], ["p", "cnf"]);
    let clauses: Vec<Vec<i32>> = lines
        .map(|line| {
            let numbers: Vec<i32> = line.split_whitespace().map(|n| n.parse().unwrap()).collect();
            let (zero, clause) = numbers.split_last().unwrap();
            assert_eq!(*zero, 0);
            clause.to_vec()
        })
        .collect();
    assert_eq!(clauses.len(), header[3].parse::<usize>().unwrap());
    (header[2].parse().unwrap(), clauses)
}
