//! `fencepost ir`: shows a program in the load-store language, or checks it.

use super::console::Console;
use super::exit;
use crate::cli::IrArgs;
use execution::span::SourceMap;
use fencepost::target::prepare;
use fencepost::verify::plan::{Request, plan};
use ir::program::Program;
use ir::text::{parse, print};
use ir::verify::verify;
use report::printable::shown;

/// Executes the command and gives its exit code.
pub fn execute(args: &IrArgs, console: &Console) -> u8 {
    let program = match args.prepared {
        true => prepared(args, console),
        false => super::compile(&args.file, &args.c, console).map(|compiled| compiled.program),
    };
    let Some(program) = program else { return exit::INPUT };
    let text = print(&program);
    if let Err(bug) = self_check(&program, &text) {
        console.message(&format!(
            "internal error: this is a mistake of Fencepost, not of the program\n{bug}"
        ));
        return exit::INTERNAL;
    }
    match args.check {
        true => console.result(&summary(args, &program)),
        // Has escapes of its own, and is to be read again as it is.
        false => console.write_result(text.as_bytes()),
    }
    exit::HOLDS
}

/// The program as `verify` prepares it, compiled for a model if there is one; `None` if something is
/// wrong with the input, which the user has been told.
fn prepared(args: &IrArgs, console: &Console) -> Option<Program> {
    let c = args.c.options();
    let request = Request { models: args.model.iter().cloned().collect(), c, ..Request::default() };
    let subject = match plan(&args.file, &request) {
        Ok(subject) => subject,
        Err(rejected) => {
            console.diagnostics(&rejected.diagnostics, &rejected.sources);
            return None;
        }
    };
    console.diagnostics(&subject.warnings, &subject.sources);
    match (&args.model, subject.models.as_slice()) {
        (Some(_), [model]) => match prepare(&subject.program, &subject.sources, model) {
            Ok(program) => Some(program),
            Err(refused) => {
                console.diagnostics(&[refused], &subject.sources);
                None
            }
        },
        _ => Some(subject.program),
    }
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
