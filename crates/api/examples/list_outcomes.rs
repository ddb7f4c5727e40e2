//! Lists what a variable can be at the end of a program, model by model, with progress:
//! `cargo run --example list_outcomes -- FILE.c EXPRESSIONS`.

use fencepost::embed::{Budget, outcomes};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(file), Some(expressions)) = (arguments.next(), arguments.next()) else {
        return Err("usage: list_outcomes FILE.c EXPRESSIONS".into());
    };
    let source = std::fs::read_to_string(&file)?;
    let progress = |doing| eprintln!("{doing:?}");
    for model in ["sc", "tso", "relaxed"] {
        let budget = Budget { progress: Some(&progress), ..Budget::default() };
        let (seen, all) = outcomes(&file, &source, &expressions, model, budget)?;
        println!("{model}: {} outcomes ({})", seen.len(), report::words::cell(&all.verdict));
        for outcome in seen {
            println!("  {outcome:?}");
        }
    }
    Ok(())
}
