//! `fencepost ir`: shows a program in the load-store language, or checks it.

use super::console::Console;
use super::exit;
use crate::cli::IrArgs;
use execution::span::SourceMap;
use ir::program::Program;
use ir::text::{parse, print};
use ir::verify::verify;
use report::printable::shown;

/// Executes the command and gives its exit code.
pub fn execute(args: &IrArgs, console: &Console) -> u8 {
    let Some(compiled) = super::compile(&args.file, &args.c, console) else { return exit::INPUT };
    let text = print(&compiled.program);
    if let Err(bug) = self_check(&compiled.program, &text) {
        console.message(&format!(
            "internal error: this is a mistake of Fencepost, not of the program\n{bug}"
        ));
        return exit::INTERNAL;
    }
    match args.check {
        true => console.result(&summary(args, &compiled.program)),
        // Has escapes of its own, and is to be read again as it is.
        false => console.write_result(text.as_bytes()),
    }
    exit::HOLDS
}

/// Checks what holds of every compiled program: it is well formed, and its text parses back.
fn self_check(program: &Program, text: &str) -> Result<(), String> {
    let broken: Vec<String> = verify(program).iter().map(|v| v.describe(program)).collect();
    if !broken.is_empty() {
        return Err(broken.join("\n"));
    }
    let file = SourceMap::new().add_file("printed.fpir", text);
    match parse(file, text) {
        Ok(parsed) if parsed.program == *program => Ok(()),
        Ok(_) => Err("the printed text parses back to another program".to_string()),
        Err(errors) => {
            let messages: Vec<String> = errors.into_iter().map(|error| error.message).collect();
            Err(format!("the printed text does not parse back: {}", messages.join("; ")))
        }
    }
}

fn summary(args: &IrArgs, program: &Program) -> String {
    let counted = |count: usize, one: &str| match count {
        1 => format!("1 {one}"),
        count => format!("{count} {one}s"),
    };
    let blocks = || program.functions.iter().flat_map(|function| &function.blocks);
    let instructions: usize = blocks().map(|block| block.insts.len() + 1).sum();
    format!(
        "{}: well formed: {}, {}, {}, {}\n",
        shown(&args.file),
        counted(program.functions.len(), "function"),
        counted(blocks().count(), "block"),
        counted(instructions, "instruction"),
        counted(program.globals.len(), "global"),
    )
}
