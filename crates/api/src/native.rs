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

/// Gives a program the means to call these functions (`LIBRARY:SYMBOL`); an error if there is none of
/// the name, or if the program calls no such function.
pub fn link(program: &mut Program, names: &[String]) -> Result<(), Diagnostic> {
    if names.is_empty() {
        return Ok(());
    }
    let called = called(program);
    for name in names {
        let error = |text: String| Diagnostic::general(format!("`--native {name}`: {text}"));
        let symbol = name.rsplit_once(':').filter(|(library, symbol)| {
            !library.is_empty() && !symbol.is_empty() && !name.contains(['\n', '\t'])
        });
        let Some((_, symbol)) = symbol else {
            return Err(error("this does not name a library and a function in it".to_string())
                .note("for example, `--native libm.so.6:cos`"));
        };
        if !called.iter().any(|function| function.name == *name) {
            let text = format!("the program uses no function `{symbol}` that it only declares");
            return Err(error(text));
        }
    }
    let helper = std::env::current_exe()
        .map_err(|why| Diagnostic::general(format!("cannot find this executable: {why}")))?;
    let host = Host::new(helper, &[HELPER]);
    for function in &called {
        host.find(function).map_err(|why| {
            Diagnostic::general(format!("`--native {}`: {why}", function.name))
        })?;
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
