//! Proofs are checked by a small checker of our own: every step must follow by unit propagation.

mod support;

use sat::{Answer, BackendKind, Formula, Journal, Limits, Lit, ProofFormat, order::Strategy};
use std::collections::{HashMap, HashSet};
use std::fs;
use support::{pigeons, read_dimacs, ring};

/// Whether unit propagation makes one of the clauses empty when the literals of `step` are false.
fn conflicts(clauses: &[&Vec<i32>], step: &[i32]) -> bool {
    let mut holds: HashSet<i32> = step.iter().map(|lit| -lit).collect();
    loop {
        let before = holds.len();
        for clause in clauses {
            let mut open = clause.iter().filter(|&&lit| !holds.contains(&-lit));
            match (open.next(), open.next()) {
                (None, _) => return true,
                (Some(&unit), None) => {
                    holds.insert(unit);
                }
                _ => {}
            }
        }
        if holds.len() == before {
            return false;
        }
    }
}

/// Whether a DRAT proof derives the empty clause, each step by unit propagation from all earlier.
fn is_drat_proof(formula: &str, proof: &str) -> bool {
    let (_, mut clauses) = read_dimacs(formula);
    for line in proof.lines().filter(|line| !line.starts_with('d')) {
        let mut step: Vec<i32> = line.split_whitespace().map(|n| n.parse().unwrap()).collect();
        assert_eq!(step.pop(), Some(0));
        if !conflicts(&clauses.iter().collect::<Vec<_>>(), &step) {
            return false;
        }
        if step.is_empty() {
            return true;
        }
        clauses.push(step);
    }
    false
}

/// Whether an LRAT proof does so with the clauses that each step names.
fn is_lrat_proof(formula: &str, proof: &str) -> bool {
    let (_, clauses) = read_dimacs(formula);
    let mut known: HashMap<i64, Vec<i32>> = (1..).zip(clauses).collect();
    for line in proof.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words[1] == "d" {
            continue;
        }
        let numbers: Vec<i64> = words.iter().map(|n| n.parse().unwrap()).collect();
        let end = numbers[1..].iter().position(|&n| n == 0).unwrap() + 1;
        let step: Vec<i32> = numbers[1..end].iter().map(|&n| n as i32).collect();
        let hints = &numbers[end + 1..numbers.len() - 1];
        if !conflicts(&hints.iter().map(|hint| &known[hint]).collect::<Vec<_>>(), &step) {
            return false;
        }
        if step.is_empty() {
            return true;
        }
        known.insert(numbers[0], step);
    }
    false
}

/// The two files of a certificate.
fn certificate(formula: &Formula, assumptions: &[Lit], format: ProofFormat) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let (cnf, proof) = (folder.path().join("query.cnf"), folder.path().join("query.proof"));
    assert_eq!(formula.certify(assumptions, &cnf, &proof, format), Ok(Answer::Unsat));
    (fs::read_to_string(cnf).unwrap(), fs::read_to_string(proof).unwrap())
}

#[test]
fn certificates_stand_up_to_a_checker() {
    let formula = pigeons(BackendKind::Cadical, 5);
    let (cnf, proof) = certificate(&formula, &[], ProofFormat::Drat);
    assert!(proof.lines().count() > 10);
    assert!(is_drat_proof(&cnf, &proof));
    let (cnf, proof) = certificate(&formula, &[], ProofFormat::Lrat);
    assert!(is_lrat_proof(&cnf, &proof));
}

#[test]
fn the_checker_refuses_a_proof_of_something_else() {
    let formula = pigeons(BackendKind::Cadical, 5);
    let (cnf, proof) = certificate(&formula, &[], ProofFormat::Drat);
    let last = proof.trim_end().rsplit_once('\n').map_or("0", |(_, last)| last);
    assert!(!is_drat_proof(&cnf, last), "no empty clause without its derivation");
    let (_, lrat) = certificate(&formula, &[], ProofFormat::Lrat);
    let easier = cnf.replacen("2 3 4 5 0", "2 3 4 5 -20 0", 1);
    assert_ne!(easier, cnf);
    assert!(!is_lrat_proof(&easier, &lrat));
}

#[test]
fn order_constraints_and_assumptions_are_part_of_a_certificate() {
    let strategies = [Strategy::AllPairs, Strategy::Chordal, Strategy::Theory, Strategy::Lazy];
    for strategy in strategies {
        for kind in [BackendKind::Cadical, BackendKind::Batsat] {
            let (mut formula, closed) = ring(kind, 5, strategy);
            assert_eq!(formula.solve(&[closed]), Answer::Unsat);
            assert_eq!(formula.core(), [closed]);
            let (cnf, proof) = certificate(&formula, &[closed], ProofFormat::Drat);
            assert!(is_drat_proof(&cnf, &proof), "{strategy:?}");
            let (cnf, proof) = certificate(&formula, &[closed], ProofFormat::Lrat);
            assert!(is_lrat_proof(&cnf, &proof), "{strategy:?}");
        }
    }
}

#[test]
fn one_proof_covers_all_queries_that_were_kept_and_none_that_was_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let (cnf, proof) = (folder.path().join("all.cnf"), folder.path().join("all.lrat"));
    let journal = Journal::default();
    journal.keep();
    journal.write_files(folder.path().join("query"));
    let (mut ring, closed) = ring(BackendKind::Cadical, 4, Strategy::Theory);
    let mut pigeons = pigeons(BackendKind::Cadical, 3);
    journal.about("ring");
    ring.set_journal(journal.clone());
    assert_eq!(ring.solve(&[closed]), Answer::Unsat);
    assert_eq!(ring.solve(&[!closed]), Answer::Sat);
    journal.about("pigeons");
    pigeons.set_journal(journal.clone());
    assert_eq!(pigeons.solve(&[]), Answer::Unsat);
    let prove = || journal.prove(&cnf, &proof, ProofFormat::Lrat, &Limits::default());
    assert_eq!(prove(), Ok(Answer::Unsat));
    let [formula, steps] = [&cnf, &proof].map(|path| fs::read_to_string(path).unwrap());
    assert!(is_lrat_proof(&formula, &steps));
    let names = journal.files().unwrap();
    let names = names.iter().map(|path| path.file_name().unwrap().to_str().unwrap());
    let expected = ["query.1-ring.cnf", "query.2-ring.cnf", "query.3-pigeons.cnf"];
    assert_eq!(names.collect::<Vec<_>>(), expected);
    assert!(formula.starts_with("c what was asked has no solution\np cnf "), "{formula}");
    // With nothing kept, none of no queries has a solution.
    journal.forget();
    assert_eq!(prove(), Ok(Answer::Unsat));
    let text = "c nothing was left for a solver\np cnf 1 2\n1 0\n-1 0\n";
    assert_eq!(fs::read_to_string(&cnf).unwrap(), text);
}

#[test]
fn a_certificate_says_what_was_decided_without_it() {
    let folder = tempfile::tempdir().unwrap();
    let (cnf, proof) = (folder.path().join("all.cnf"), folder.path().join("all.lrat"));
    let journal = Journal::default();
    journal.keep();
    journal.about("races");
    let mut pigeons = pigeons(BackendKind::Cadical, 3);
    pigeons.set_journal(journal.clone());
    journal.about("leaks");
    assert_eq!(pigeons.solve(&[Lit::FALSE]), Answer::Unsat);
    assert!(!journal.needed_solver());
    let certificate = || {
        let answer = journal.prove(&cnf, &proof, ProofFormat::Lrat, &Limits::default());
        assert_eq!(answer, Ok(Answer::Unsat));
        let [formula, steps] = [&cnf, &proof].map(|path| fs::read_to_string(path).unwrap());
        // A checker that wants a step which derives the empty clause finds one.
        assert!(is_lrat_proof(&formula, &steps), "{steps}");
        assert!(!formula.lines().any(|line| line == "0"), "{formula}");
        formula
    };
    let formula = certificate();
    let said = "c all was decided before a solver was asked: leaks, races\n";
    assert!(formula.starts_with(said), "{formula}");
    journal.about("findings");
    assert_eq!(pigeons.solve(&[]), Answer::Unsat);
    assert!(journal.needed_solver());
    let formula = certificate();
    let said = "c decided before a solver was asked, and not in here: leaks, races\n";
    assert!(formula.starts_with(said), "{formula}");
    assert_eq!(journal.decided_without_solver(), ["leaks", "races"]);
}

#[test]
fn what_cannot_be_proved_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let (cnf, path) = (folder.path().join("cnf"), folder.path().join("proof"));
    let missing = folder.path().join("no/such/folder/proof");
    let formula = pigeons(BackendKind::Cadical, 3);
    let paths = [(&missing, &path), (&cnf, &missing)];
    for (formula_at, proof_at) in paths {
        let answer = formula.certify(&[], formula_at, proof_at, ProofFormat::Drat);
        assert_eq!(answer.map_err(|error| error.path), Err(missing.clone()));
    }
    let (formula, closed) = ring(BackendKind::Cadical, 4, Strategy::Chordal);
    let answer = formula.certify(&[!closed], &cnf, &path, ProofFormat::Drat);
    assert_eq!(answer, Ok(Answer::Sat));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "no half of a certificate is left");
}

#[cfg(target_os = "linux")]
#[test]
fn a_proof_that_does_not_fit_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let (cnf, full) = (folder.path().join("cnf"), folder.path().join("proof"));
    std::os::unix::fs::symlink("/dev/full", &full).unwrap();
    for format in [ProofFormat::Drat, ProofFormat::Lrat] {
        let answer = pigeons(BackendKind::Cadical, 5).certify(&[], &cnf, &full, format);
        assert_eq!(answer.map_err(|error| error.path), Err(full.clone()));
        assert!(!cnf.exists(), "a formula without its proof is not left");
    }
}

#[cfg(unix)]
#[test]
fn names_of_certificates_need_not_be_utf_8() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join(std::ffi::OsStr::from_bytes(b"a\xff"));
    fs::create_dir(&inner).unwrap();
    let (cnf, proof) = (inner.join("cnf"), inner.join("proof"));
    let answer = pigeons(BackendKind::Cadical, 5).certify(&[], &cnf, &proof, ProofFormat::Lrat);
    assert_eq!(answer, Ok(Answer::Unsat));
    let [formula, steps] = [&cnf, &proof].map(|path| fs::read_to_string(path).unwrap());
    assert!(is_lrat_proof(&formula, &steps));
}
