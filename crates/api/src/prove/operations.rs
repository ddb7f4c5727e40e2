//! Which operations any number of threads run: those that are named, those that the file declares
//! with `fp_operations`, or else every function that can be one.

use crate::compile::{Compiled, Rejected};
use execution::diagnostic::Diagnostic;
use ir::op::{Callee, Op, Terminator};
use ir::program::{BEFORE_MAIN, FuncId, Function, LocId, Program};
use std::collections::HashSet;

/// The function that calls each operation that any number of threads run, if there is one.
const DECLARATION: &str = "fp_operations";
/// What no thread runs as an operation.
const OTHERS: [&str; 4] = ["init", "main", BEFORE_MAIN, DECLARATION];

/// The operations of a file, if none are named.
pub(super) fn operations(compiled: &Compiled) -> Result<Vec<String>, Box<Rejected>> {
    let functions = &compiled.program.functions;
    if let Some(declaration) = functions.iter().find(|f| f.name == DECLARATION) {
        return declared(compiled, declaration);
    }
    Ok(all(&compiled.program))
}

fn is_procedure(function: &Function) -> bool {
    function.params.is_empty() && function.result.is_none()
}

fn is_users(program: &Program, function: &Function) -> bool {
    function.place.is_some_and(|at| !program.places[at].location.is_library())
}

/// The functions of the user's that can be operations, in the order of the program: no other
/// function calls them.
fn all(program: &Program) -> Vec<String> {
    let insts = program.functions.iter().flat_map(|f| &f.blocks).flat_map(|block| &block.insts);
    let called: HashSet<FuncId> = insts
        .filter_map(|inst| match inst.op {
            Op::Call { callee: Callee::Direct(function), .. } => Some(function),
            _ => None,
        })
        .collect();
    let uncalled = program.functions.enumerate().filter(|(id, _)| !called.contains(id));
    let fits = |f: &&Function| is_procedure(f) && !OTHERS.contains(&f.name.as_str());
    let found = uncalled.map(|(_, f)| f).filter(fits).filter(|f| is_users(program, f));
    found.map(|f| f.name.clone()).collect()
}

/// What a declaration calls, in order.
fn declared(compiled: &Compiled, declaration: &Function) -> Result<Vec<String>, Box<Rejected>> {
    let program = &compiled.program;
    let wrong = |place: Option<LocId>, what: &str| {
        let message = format!("`{DECLARATION}` {what}");
        let note = "`void fp_operations(void) { a(); b(); }` declares that any number of threads \
                    run the operations `a` and `b`, each a function `void f(void)`";
        let location = place.or(declaration.place).map(|at| &program.places[at].location);
        let span = location.and_then(|location| compiled.sources.span_of(location));
        let error = match span {
            Some(span) => Diagnostic::error(span, message),
            None => Diagnostic::general(message),
        };
        let diagnostics = vec![error.note(note)];
        Err(Box::new(Rejected { sources: compiled.sources.clone(), diagnostics }))
    };
    if !is_procedure(declaration) {
        return wrong(None, "has parameters or a result");
    }
    let mut operations = Vec::new();
    let mut block = declaration.entry();
    let mut seen = HashSet::new();
    loop {
        let here = &declaration.blocks[block];
        for inst in &here.insts {
            let Op::Call { callee: Callee::Direct(called), .. } = &inst.op else {
                return wrong(inst.place, "does something else than to call operations");
            };
            let operation = &program.functions[*called];
            let is_other = OTHERS.contains(&operation.name.as_str());
            if is_other || !is_procedure(operation) || !is_users(program, operation) {
                return wrong(
                    inst.place,
                    &format!("calls `{}`, which is not an operation", operation.name),
                );
            }
            if operations.contains(&operation.name) {
                return wrong(inst.place, &format!("calls `{}` twice", operation.name));
            }
            operations.push(operation.name.clone());
        }
        match here.terminator {
            Terminator::Return(None) if operations.is_empty() => {
                return wrong(None, "calls no operation");
            }
            Terminator::Return(None) => return Ok(operations),
            Terminator::Jump(next) if seen.insert(next) => block = next,
            _ => return wrong(here.place, "does something else than to call operations"),
        }
    }
}
