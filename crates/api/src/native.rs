//! Links functions of shared libraries that the user has named to a program.
//!
//! They are called in a process of their own: this executable again, with the arguments
//! [`HELPER`] and a path. A program that embeds Fencepost and links native functions must answer
//! these arguments with [`serve`].

pub use native::serve;

use execution::diagnostic::Diagnostic;
use ir::native::{NativeFunction, Natives};
use ir::op::Op;
use ir::program::Program;
use native::Host;
use std::sync::Arc;

/// The argument with which the helper process is started.
pub const HELPER: &str = "native-helper";

/// An error if these do not have the form `LIBRARY:SYMBOL`.
pub fn check(names: &[String]) -> Result<(), Diagnostic> {
    let is_one = |name: &&String| {
        name.rsplit_once(':').is_some_and(|(library, symbol)| {
            !library.is_empty() && !symbol.is_empty() && !name.contains(['\n', '\t'])
        })
    };
    match names.iter().find(|name| !is_one(name)) {
        None => Ok(()),
        Some(name) => {
            let text = "this does not name a library and a function in it";
            let error = Diagnostic::general(format!("`--native {name}`: {text}"));
            Err(error.note("for example, `--native libm.so.6:cos`"))
        }
    }
}

/// Gives a program the means to call these functions; an error if a library has none of the name, or
/// if the program calls no such function.
pub fn link(program: &mut Program, names: &[String]) -> Result<(), Diagnostic> {
    if names.is_empty() {
        return Ok(());
    }
    let called = called(program);
    if let Some(name) = names.iter().find(|name| called.iter().all(|own| own.name != **name)) {
        let symbol = name.rsplit_once(':').map_or(name.as_str(), |(_, symbol)| symbol);
        let text = format!("the program uses no function `{symbol}` that it only declares");
        return Err(Diagnostic::general(format!("`--native {name}`: {text}")));
    }
    let helper = std::env::current_exe()
        .map_err(|why| Diagnostic::general(format!("cannot find this executable: {why}")))?;
    let host = Host::new(helper, &[HELPER]);
    for function in &called {
        host.find(function)
            .map_err(|why| Diagnostic::general(format!("`--native {}`: {why}", function.name)))?;
    }
    program.natives = Natives::new(Arc::new(host));
    Ok(())
}

/// The native functions that a program calls.
fn called(program: &Program) -> Vec<NativeFunction> {
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    let native = |op: &Op| match op {
        Op::Native { function, .. } => Some(function.clone()),
        _ => None,
    };
    blocks.flat_map(|block| &block.insts).filter_map(|inst| native(&inst.op)).collect()
}
