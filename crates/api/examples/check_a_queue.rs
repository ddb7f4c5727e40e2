//! Checks a data type in a file on several memory models, and prints the first counterexample:
//! `cargo run --example check_a_queue -- examples/msn/msn_unfenced.c "( e | d )"`.

use fencepost::embed::{Budget, check};
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(file), Some(test)) = (arguments.next(), arguments.next()) else {
        return Err("usage: check_a_queue FILE.c TEST".into());
    };
    let source = std::fs::read_to_string(&file)?;
    let budget = Budget { time: Some(Duration::from_secs(60)), ..Budget::default() };
    for model in ["sc", "tso", "pso", "relaxed"] {
        let answer = check(&file, &source, &test, model, budget)?;
        println!("{model}: {}", report::words::cell(&answer.confirmed.verdict));
        if let Some(text) = answer.text() {
            println!("{text}");
            break;
        }
    }
    Ok(())
}
