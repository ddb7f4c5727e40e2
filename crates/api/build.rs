//! Lists the litmus tests of our own corpus, so that the program carries their text.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets this"))
        .join("../../corpus/litmus");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut list = String::from("&[\n");
    for folder in ["AArch64", "C11", "LKMM", "PPC", "RISCV", "X86"] {
        let mut names: Vec<_> = fs::read_dir(root.join(folder))
            .expect("a folder of the corpus")
            .map(|entry| entry.expect("an entry of the corpus").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "litmus"))
            .collect();
        names.sort();
        for path in names {
            let name = path.file_stem().expect("a file name").to_string_lossy().into_owned();
            let path = path.canonicalize().expect("a path");
            writeln!(
                list,
                "    CorpusTest {{ family: {folder:?}, name: {name:?}, text: include_str!({path:?}) }},"
            )
            .expect("writing to a string");
        }
    }
    list.push(']');
    let out = env::var("OUT_DIR").expect("cargo sets this");
    fs::write(Path::new(&out).join("corpus.rs"), list).expect("the output folder");
}
