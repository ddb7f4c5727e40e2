//! Links functions of shared libraries that the user has named to a program.
//!
//! They are called in a process of their own: this executable again, with the arguments
//! [`HELPER`] and a path. A program that embeds Fencepost and links native functions must answer
//! these arguments with [`serve`].

pub use native::serve;

use execution::diagnostic::Diagnostic;
use execution::input::read_text;
use ir::native::{NativeFunction, Natives};
use ir::op::Op;
use ir::program::Program;
use native::Host;
use std::path::Path;
use std::sync::Arc;

/// The argument with which the helper process is started.
pub const HELPER: &str = "native-helper";

/// The functions that were named, and those that a list offers.
#[derive(Debug, Default)]
pub struct Named {
    /// Those that were named one by one: the program must call each of them.
    pub own: Vec<String>,
    /// Those of lists, as `@FILE`.
    pub offered: Vec<String>,
}

impl Named {
    /// Reads the lists among these names: one `LIBRARY:SYMBOL` in each line, and `#` before a comment. A
    /// library with a relative path is found from the folder of the list.
    pub fn new(names: &[String]) -> Result<Self, Diagnostic> {
        let mut named = Self::default();
        for name in names {
            let Some(path) = name.strip_prefix('@') else {
                named.own.push(name.clone());
                continue;
            };
            let text = read_text(Path::new(path)).map_err(|error| {
                Diagnostic::general(format!("`--native {name}`: cannot read `{path}`: {error}"))
            })?;
            let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
            let folder = Path::new(path).parent().unwrap_or(Path::new(""));
            for line in lines.filter(|line| !line.is_empty()) {
                check(&[line.to_string()]).map_err(|error| error.note(format!("in `{path}`")))?;
                named.offered.push(found_from(folder, line));
            }
        }
        check(&named.own)?;
        Ok(named)
    }

    /// All of them.
    pub fn all(&self) -> Vec<String> {
        self.own.iter().chain(&self.offered).cloned().collect()
    }

    /// Gives a program the means to call them; gives those that it may call.
    pub fn link(self, program: &mut Program) -> Result<Vec<String>, Diagnostic> {
        let called = called(program);
        let is_called = |name: &String| called.iter().any(|own| own.name == *name);
        let offered: Vec<String> = self.offered.into_iter().filter(is_called).collect();
        let names = self.own.into_iter().chain(offered).collect::<Vec<_>>();
        link(program, &names)?;
        Ok(names)
    }
}

/// `./libown.so:f`, as a file in this folder calls it.
fn found_from(folder: &Path, name: &str) -> String {
    let is_relative = name.starts_with("./") || name.starts_with("../");
    match is_relative && folder != Path::new("") {
        true => folder.join(name).display().to_string(),
        false => name.to_string(),
    }
}

/// An error if these do not have the form `LIBRARY:SYMBOL`.
fn check(names: &[String]) -> Result<(), Diagnostic> {
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
fn link(program: &mut Program, names: &[String]) -> Result<(), Diagnostic> {
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
