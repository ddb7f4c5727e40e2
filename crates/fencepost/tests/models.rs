//! What the models make of the classical litmus tests, against what the literature says; and
//! that comparing models finds the differences they are known for.

use fencepost::comparison::{compare, table};
use models::Model;
use std::path::Path;

/// Outcomes that a model allows (`+`) or forbids (`-`), as published for it.
const LITERATURE: &[(&str, &str)] = &[
    // Lamport 1979.
    (
        "sc",
        "-SB -MP -LB -S -R -2+2W -WRC -RWC -ISA2 -IRIW -W+RWC -Z6.3 -CoRR -CoWW -CoRW1 -CoRW2 -CoWR",
    ),
    // Owens, Sarkar, Sewell 2009: only a store and a later load are swapped.
    (
        "tso",
        "+SB +R +RWC +W+RWC -MP -LB -S -2+2W -WRC -ISA2 -IRIW -Z6.3 -SB+full -R+full -RWC+full",
    ),
    // SPARC V9, appendix D.
    ("pso", "+SB +MP +S +2+2W +R +ISA2 -LB -WRC -IRIW -MP+light -2+2W+light +MP+po+light -CoRR"),
    (
        "rmo",
        "+MP +LB +IRIW +CoRR +MP+light+po +MP+light+ctrl -MP+light+addr -LB+data -LB+ctrl -IRIW+light",
    ),
    // Alpha manual, 5.6: the famous dependent load.
    (
        "alpha",
        "+MP+light+addr +MP+full+addr +LB -LB+data -LB+ctrl -MP+light -WRC+data+full -CoRR -IRIW+full",
    ),
    // Burckhardt, Alur, Martin 2006 and 2007: load-load fences forbid IRIW.
    (
        "relaxed",
        "+SB +MP +LB +IRIW +CoRR +LB+data -IRIW+light -MP+light -SB+full -CoWW -CoRW1 -CoRW2 -CoWR",
    ),
    // Alglave, Maranget, Tautschnig 2014; Sarkar, Sewell, Alglave, Maranget, Williams 2011.
    (
        "power",
        "+MP +LB +SB +IRIW +IRIW+addr +IRIW+light -IRIW+full +WRC+data+addr -WRC+light+addr \
      -WRC+light -MP+light+addr +MP+light+ctrl -MP+light+ctrlcfence -LB+addr -LB+data -LB+ctrl \
      +R+light+full -R+full -2+2W+light +RWC+light -RWC+full -ISA2+light+data+addr \
      +W+RWC+light+addr+full +Z6.3+light+light+addr +Z6.3+full+light+addr -Z6.3+full +PPOCA -PPOAA \
      -CoRR +WRC+data+full",
    ),
    (
        "armv7",
        "+IRIW +IRIW+addr -IRIW+full +WRC+data+addr -WRC+full+addr -MP+full+addr +MP+full+ctrl \
      -MP+full+ctrlcfence +PPOCA -PPOAA -LB+data -CoRR",
    ),
    // Pulte, Flur, Deacon, French, Sarkar, Sewell 2018: other-multicopy atomic.
    (
        "armv8",
        "+MP +LB +SB +IRIW -IRIW+addr -WRC+data+addr -IRIW+acq -SB+rel+acq -MP+rel+acq \
      -MP+light +SB+light -LB+ctrl -S+light+data +PPOCA -PPOAA +MP+light+ctrl -MP+light+ctrlcfence \
      -Z6.3+light+light+addr -2+2W+light -CoRR",
    ),
    // RISC-V ISA manual, appendix on RVWMO.
    (
        "riscv",
        "+MP +LB +SB +IRIW -IRIW+addr -MP+light -SB+full +SB+light -WRC+data+addr +PPOCA -PPOAA \
      -LB+data -LB+ctrl -CoRR",
    ),
    // Lahav, Vafeiadis, Kang, Hur, Dreyer 2017: fences restore SC, no load buffering.
    (
        "rc11",
        "+SB +MP -LB +IRIW -SB+full -IRIW+full -RWC+full -MP+rel+acq +SB+rel+acq +IRIW+acq -CoRR \
      +2+2W+light",
    ),
    // Batty et al. 2011: SC fences do not restore SC.
    ("c11", "+LB +IRIW+full +RWC+full -SB+full -MP+rel+acq -MP+light -CoRR"),
    ("c11-no-thin-air", "-LB +IRIW+full +RWC+full -SB+full -MP+rel+acq"),
    ("c11-simp", "+LB -SB+full -MP+rel+acq -CoRR"),
    // Podkopaev, Lahav, Vafeiadis 2019: load buffering unless dependent.
    ("imm", "+LB -LB+data -LB+ctrl -SB+full -IRIW+full -MP+rel+acq -CoRR"),
    // Alglave, Maranget, McKenney, Parri, Stern 2018.
    (
        "lkmm",
        "+SB +MP +LB -LB+data -LB+ctrl -LB+acq -SB+full -MP+light -MP+rel+acq +SB+rel+acq \
      -WRC+rel+acq -IRIW+full +IRIW+light +2+2W+light +R+light+full -S+light+data -CoRR",
    ),
];

#[test]
fn classical_tests_have_their_published_verdicts() {
    let table = table();
    for (model, verdicts) in LITERATURE {
        let column = table.models.iter().position(|name| name == model).unwrap();
        for verdict in verdicts.split_whitespace() {
            let (allowed, name) = (verdict.starts_with('+'), &verdict[1..]);
            let row = table.rows.iter().find(|(row, _)| *row == name);
            let (_, cells) = row.unwrap_or_else(|| panic!("no test is called {name}"));
            assert_eq!(cells[column], Some(allowed), "{name} on {model}");
        }
    }
}

#[test]
fn every_model_is_in_the_table_and_agrees_with_itself() {
    let table = table();
    for (index, name) in table.models.iter().enumerate() {
        let verdicts = table.rows.iter().filter(|(_, cells)| cells[index].is_some()).count();
        assert!(verdicts >= 40, "{name} has {verdicts} tests");
        assert_eq!(table.within(index, index), Some(true));
    }
}

#[test]
fn known_orders_between_models_are_found() {
    let table = table();
    let stronger = |a: &str, b: &str| {
        let index = |name: &str| table.models.iter().position(|model| *model == name).unwrap();
        assert_eq!(table.within(index(a), index(b)), Some(true), "{a} within {b}");
        assert_eq!(table.within(index(b), index(a)), Some(false), "{b} not within {a}");
    };
    for pair in ["sc", "tso", "pso", "rmo", "relaxed"].windows(2) {
        stronger(pair[0], pair[1]);
    }
    stronger("alpha", "relaxed");
    stronger("sc", "power");
    stronger("armv8", "power");
    stronger("rc11", "imm");
    stronger("c11-no-thin-air", "c11");
}

/// Files that use the constructs of published models, and the library's model they define.
#[test]
fn models_in_the_style_of_published_ones_mean_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/cat");
    let styles = ["tso", "power", "riscv", "rc11", "lkmm", "armv8"];
    let styles = styles.map(|name| (format!("{name}-style.cat"), name));
    for (file, name) in styles.into_iter().chain([("armv8-registers.cat".to_string(), "armv8")]) {
        let path = folder.join(file);
        let mine = Model::from_file(&path).unwrap_or_else(|error| {
            let style = report::Style::Plain;
            panic!("{}", report::diagnostics::render(&error.diagnostic, &error.sources, style))
        });
        let comparison = compare(&mine, &Model::named(name).unwrap());
        assert!(comparison.tests >= 40, "{name}: {} tests", comparison.tests);
        let mut separations = comparison.only_first.iter().chain(&comparison.only_second);
        let seen = separations.next().map(|found| (found.test.name, &found.state));
        assert_eq!(seen, None, "{name}");
    }
}

#[test]
fn a_separating_test_comes_with_a_reason() {
    let (tso, sc) = (Model::named("tso").unwrap(), Model::named("sc").unwrap());
    let comparison = compare(&tso, &sc);
    assert!(comparison.only_second.is_empty());
    let separation = &comparison.only_first[0];
    assert_eq!(separation.test.name, "SB");
    let (failure, _) = separation.why.as_ref().unwrap();
    assert_eq!((&*failure.axiom, failure.events.len()), ("sc", 4));
}

/// A model of a machine and one of C11 are compared on tests in C that are compiled for the machine.
#[test]
fn tests_in_c_are_compiled_for_the_model_that_is_compared() {
    let text = "\"x86\"\ninclude \"cos.cat\"\ninclude \"x86fences.cat\"\n\
        acyclic po-loc | rmw | rf | co | fr as coherence\n\
        empty rmw & (fre; coe) as atomic\n\
        let locked = po & ((X * M) | (M * X))\n\
        acyclic po & ((R * M) | (W * W)) | locked | mfence | rmw | rfe | co | fr as tso\n";
    let machine = Model::from_text("mine.cat", text).expect("it is right");
    let language = Model::named("rc11").expect("in the library");
    let comparison = compare(&machine, &language);
    let only: Vec<_> = comparison.only_first.iter().map(|found| found.test.name).collect();
    assert_eq!(only, Vec::<&str>::new(), "on {} tests", comparison.tests);
    assert!(comparison.tests >= 40 && comparison.only_second.len() > 10);
    assert!(comparison.only_second.iter().all(|found| found.why.is_none()));
}

#[test]
fn published_models_may_use_the_names_of_their_tools() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.cat");
    let other = folder.path().join("other.cat");
    let with = |fence: &str| {
        format!(
            "\"mine\"\n/* TSO, as another\ntool has it */\nacyclic po-loc | rf | fr | co as uniproc\n\
             let ppo = po \\ ([W]; po; [R])\nacyclic ppo | {fence} | rfe | fr | co as tso\n"
        )
    };
    std::fs::write(&path, with("mfence")).expect("written");
    std::fs::write(&other, with("(po; [MFENCE]; po)")).expect("written");
    let mine = Model::from_file(&path).expect("the model is accepted");
    let same = Model::from_file(&other).expect("the model is accepted");
    let compared = compare(&mine, &same);
    assert!(compared.tests > 0);
    assert!(compared.only_first.is_empty() && compared.only_second.is_empty());
    let own = "let mfence = 0\nlet sync = po\nacyclic po-loc | rf | fr | co as uniproc\n\
               empty casdep as none\nempty mfence as own\nacyclic sync | rf as both\n";
    std::fs::write(&path, own).expect("written");
    Model::from_file(&path).expect("a model may define them itself");
    // Dat3M's kernel words are sets, `sync` is a relation, and what no test has is empty.
    let kernel = "\"mine\"\nlet ppo = po & ((M \\ NAL) * (M \\ ACQUIRE))\n\
                  acyclic po-loc | rf | fr | co as uniproc\nacyclic casdep | sync | rfe as none\n";
    std::fs::write(&path, kernel).expect("written");
    Model::from_file(&path).expect("the words are known");
    std::fs::write(&path, "/* no end\nacyclic po as sc\n").expect("written");
    assert!(Model::from_file(&path).is_err());
}
