//! Reads every test of a corpus outside the project, named by `FENCEPOST_LITMUS`: at least 97 of
//! 100 tests of each architecture are accepted. Without the variable there is nothing to read.

use execution::span::SourceMap;
use std::path::Path;

#[test]
fn nearly_every_test_of_the_corpus_is_accepted() {
    let Some(root) = std::env::var_os("FENCEPOST_LITMUS") else { return };
    for folder in ["X86", "X86_64", "PPC", "AArch64", "RISCV", "C11", "LKMM"] {
        let (mut accepted, mut all) = (0, 0);
        for entry in std::fs::read_dir(Path::new(&root).join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "litmus") {
                continue;
            }
            all += 1;
            let bytes = std::fs::read(&path).unwrap();
            let mut sources = SourceMap::new();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let file = sources.add_file(name, String::from_utf8_lossy(&bytes).into_owned());
            match front_litmus::parse(&sources, file) {
                Ok(_) => accepted += 1,
                Err(problem) => {
                    let place = problem.primary.as_ref().map(|p| sources.location(p.span));
                    let place = place.map(|place| place.to_string()).unwrap_or_default();
                    println!("{folder}/{place}: {}", problem.message);
                }
            }
        }
        println!("{folder}: {accepted} of {all} accepted");
        assert!(accepted * 100 >= all * 97, "{folder}: only {accepted} of {all} accepted");
    }
}
