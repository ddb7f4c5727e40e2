//! Composition: the one program that a data type and a test make.
//!
//! Its only initial thread calls what runs before `main`, `init` and the initial operations, starts
//! one thread for each column of the test, and awaits them all. Every operation stands between an
//! `operation begin` and an `operation end`. The result is an ordinary program: code that reads it
//! needs to know nothing of tests. Thread 0 of an execution is the initial sequence and thread *n*
//! the *n*-th column, so an operation is known by its thread and its number in it.

use super::{Invocation, Test};
use execution::diagnostic::Diagnostic;
use execution::ids::Id;
use execution::operation::Instances;
pub use execution::operation::{Instance, InstanceId};
use execution::span::{SourceMap, Span};
use ir::build::FunctionBuilder;
use ir::op::{Callee, Inst, Op, Operand, Terminator};
use ir::prepare::{self, Preparation};
use ir::program::{BEFORE_MAIN, FuncId, Function, LocId, Program, Reg, SourcePlace, Width};
use std::collections::{BTreeMap, HashMap};

/// A function of the program by its name, and where the user named it, if that was necessary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// The function.
    pub function: String,
    /// Where it is named, other than in the program.
    pub span: Option<Span>,
}

/// Which functions of a program are the operations of tests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operations {
    /// The function that prepares the data type.
    pub init: Named,
    /// Operations whose function has another name. Any other operation is the function of its
    /// own name.
    pub functions: BTreeMap<String, Named>,
}

impl Default for Operations {
    fn default() -> Self {
        let init = Named { function: "init".into(), span: None };
        Self { init, functions: BTreeMap::new() }
    }
}

/// The label under which the result of an operation's function is observed.
pub const RESULT: &str = "result";

/// A data type and a test as one program.
#[derive(Clone, Debug)]
pub struct Composed {
    /// The program.
    pub program: Program,
    /// Its operations.
    pub instances: Instances,
    /// How many columns there are, the initial sequence (column 0) included.
    pub columns: usize,
}

impl Composed {
    /// The operation with this number in this column.
    pub fn instance(&self, column: usize, index: usize) -> Option<InstanceId> {
        let here = |(_, i): &(InstanceId, &Instance)| (i.column, i.index) == (column, index);
        self.instances.enumerate().find(here).map(|(id, _)| id)
    }

    /// The operation with this name.
    pub fn instance_named(&self, name: &str) -> Option<InstanceId> {
        self.instances.enumerate().find(|(_, instance)| instance.name == name).map(|(id, _)| id)
    }
}

/// Makes the program of a data type and a test, without what it prints. `sources` holds the text
/// of the test.
pub fn compose(
    program: &Program,
    operations: &Operations,
    test: &Test,
    sources: &SourceMap,
) -> Result<Composed, Diagnostic> {
    let init = init_function(program, operations)?;
    let mut composer = Composer {
        functions: HashMap::new(),
        instances: instances(test),
        program: Program { entry: Vec::new(), ..program.clone() },
        source: program,
        sources,
        operations,
    };
    let mut columns = Vec::new();
    for (column, calls) in test.columns().enumerate().skip(1) {
        let name = composer.fresh_name(&format!("thread {column}"));
        let mut f = FunctionBuilder::new(&name, None, None);
        composer.sequence(&mut f, column, calls)?;
        f.terminate(Terminator::Return(None), None);
        columns.push(composer.program.functions.push(f.finish()));
    }
    let name = composer.fresh_name("test");
    let mut main = FunctionBuilder::new(&name, None, None);
    if let Some(before) = find(program, BEFORE_MAIN) {
        main.emit(call(before, None), None);
    }
    main.emit(call(init, None), None);
    composer.sequence(&mut main, 0, &test.initial)?;
    fork_and_join(&mut main, &columns);
    let main = composer.program.functions.push(main.finish());
    composer.program.entry.push(main);
    let preparation = Preparation { composed: true, ..Preparation::default() };
    let program = prepare::whole(composer.program, &preparation);
    // The functions of the test stand last, and all of them are reached.
    let own = program.functions.len() - columns.len() - 1;
    belongs_to_the_test(&program, &program.functions.as_slice()[..own])?;
    let instances = composer.instances;
    Ok(Composed { program, instances, columns: 1 + columns.len() })
}

/// The operations of a test, with names.
fn instances(test: &Test) -> Instances {
    let mut total: HashMap<&str, usize> = HashMap::new();
    let all = || test.columns().flatten().map(|call| call.operation.as_str());
    all().for_each(|operation| *total.entry(operation).or_default() += 1);
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut instances = Instances::new();
    for (column, calls) in test.columns().enumerate() {
        for (index, Invocation { operation, restricted, span }) in calls.iter().enumerate() {
            let number = seen.entry(operation).or_default();
            *number += 1;
            let name = match total[operation.as_str()] {
                1 => operation.clone(),
                _ => format!("{operation}#{number}"),
            };
            let (operation, restricted, span) = (operation.clone(), *restricted, *span);
            instances.push(Instance { name, operation, column, index, restricted, span });
        }
    }
    instances
}

/// Starts a thread for each function, then awaits them.
fn fork_and_join(f: &mut FunctionBuilder, columns: &[FuncId]) {
    let mut handles = Vec::new();
    for &column in columns {
        let dst = f.reg(Width::I64, None);
        f.emit(Op::Spawn { dst, callee: Callee::Direct(column), args: Vec::new() }, None);
        handles.push(dst);
    }
    for handle in handles {
        f.emit(Op::Join { dst: None, thread: Operand::Reg(handle) }, None);
    }
    f.terminate(Terminator::Return(None), None);
}

fn call(function: FuncId, dst: Option<Reg>) -> Op {
    Op::Call { dst, callee: Callee::Direct(function), args: Vec::new() }
}

struct Composer<'a> {
    /// The functions of the operations that were met so far.
    functions: HashMap<&'a str, FuncId>,
    instances: Instances,
    program: Program,
    source: &'a Program,
    sources: &'a SourceMap,
    operations: &'a Operations,
}

impl<'a> Composer<'a> {
    /// A name that no function has.
    fn fresh_name(&self, wanted: &str) -> String {
        let mut name = wanted.to_string();
        while self.program.functions.iter().any(|function| function.name == name) {
            name.push('\'');
        }
        name
    }

    /// Calls the operations of a column.
    fn sequence(
        &mut self,
        f: &mut FunctionBuilder,
        column: usize,
        calls: &'a [Invocation],
    ) -> Result<(), Diagnostic> {
        for (index, invocation) in calls.iter().enumerate() {
            let function = self.operation(invocation)?;
            let place = Some(self.place(invocation.span));
            let here = |i: &&Instance| (i.column, i.index) == (column, index);
            let name =
                self.instances.iter().find(here).expect("numbered in the same way").name.clone();
            f.emit(Op::OperationBegin { name, args: Vec::new() }, place);
            let dst = self.source.functions[function].result.map(|width| f.reg(width, None));
            f.emit(call(function, dst), place);
            let result = dst.map(Operand::Reg);
            if let Some(value) = result {
                f.emit(Op::Observe { label: RESULT.to_string(), value }, place);
            }
            f.emit(Op::OperationEnd { result }, place);
        }
        Ok(())
    }

    /// The place of an operation in the test.
    fn place(&mut self, span: Span) -> LocId {
        let location = self.sources.location(span);
        let function = "test".to_string();
        self.program.places.push(SourcePlace { location, function, inlined_at: None })
    }

    /// The function of an operation.
    fn operation(&mut self, invocation: &'a Invocation) -> Result<FuncId, Diagnostic> {
        let name = invocation.operation.as_str();
        if let Some(&function) = self.functions.get(name) {
            return Ok(function);
        }
        let named = self.operations.functions.get(name);
        let function = named.map_or(name, |named| &named.function);
        let span = named.and_then(|named| named.span).unwrap_or(invocation.span);
        let Some(id) = find(self.source, function) else {
            return Err(match named {
                Some(_) => missing_function(span, function),
                None => self.unknown_operation(invocation),
            });
        };
        takes_no_parameters(
            &self.source.functions[id],
            Some(span),
            self.source,
            "be an operation",
        )?;
        self.functions.insert(name, id);
        Ok(id)
    }

    fn unknown_operation(&self, invocation: &Invocation) -> Diagnostic {
        let name = &invocation.operation;
        let message = format!("there is no operation `{name}`");
        let error = Diagnostic::error(invocation.span, message);
        let exists = |letter: char| {
            let name = letter.to_string();
            self.operations.functions.contains_key(&name) || find(self.source, &name).is_some()
        };
        if name.chars().all(exists) {
            let separated: Vec<String> = name.chars().map(String::from).collect();
            let separated = separated.join(" ");
            return error.note(format!("operations are separated by blanks: `{separated}`"));
        }
        let known = self.operations.functions.keys().cloned();
        let known: Vec<String> = match self.operations.functions.is_empty() {
            false => known.collect(),
            true => self.candidates(),
        };
        let error = match known.is_empty() {
            true => error,
            false => error.note(format!("there are: {}", listed(&known))),
        };
        error.note(format!("an operation is a function `void {name}(void)` that is not `static`"))
    }

    /// Functions that could be operations.
    fn candidates(&self) -> Vec<String> {
        let init = self.operations.init.function.as_str();
        let others = [init, "main", BEFORE_MAIN];
        let fits = |f: &&Function| f.params.is_empty() && !others.contains(&f.name.as_str());
        self.source.functions.iter().filter(fits).map(|f| f.name.clone()).collect()
    }
}

fn find(program: &Program, name: &str) -> Option<FuncId> {
    program.functions.enumerate().find(|(_, function)| function.name == name).map(|(id, _)| id)
}

fn listed(names: &[String]) -> String {
    const MOST: usize = 12;
    let shown: Vec<String> = names.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    let rest = if names.len() > MOST { ", …" } else { "" };
    format!("{}{rest}", shown.join(", "))
}

fn init_function(program: &Program, operations: &Operations) -> Result<FuncId, Diagnostic> {
    let Named { function, span } = &operations.init;
    let Some(id) = find(program, function) else {
        return Err(match span {
            Some(span) => missing_function(*span, function),
            None => Diagnostic::general(format!("the program has no function `{function}`"))
                .note("a test begins with a call of `void init(void)`, which is not `static`")
                .note("a suite can name another function: `init = \"set_up\"`"),
        });
    };
    takes_no_parameters(&program.functions[id], *span, program, "prepare a test")?;
    Ok(id)
}

fn missing_function(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(span, format!("the program has no function `{name}`"))
        .note("a `static` function that nothing calls is not compiled")
}

/// Refuses a function that takes parameters. `role` is what it was meant to do.
fn takes_no_parameters(
    function: &Function,
    span: Option<Span>,
    program: &Program,
    role: &str,
) -> Result<(), Diagnostic> {
    if function.params.is_empty() {
        return Ok(());
    }
    let name = &function.name;
    let message = format!("the function `{name}` takes parameters, so it cannot {role}");
    let error = match span {
        Some(span) => Diagnostic::error(span, message),
        None => Diagnostic::general(message),
    };
    let error = match function.place {
        Some(place) => error.note(format!("it is defined at {}", program.places[place].location)),
        None => error,
    };
    Err(error.note("arguments are picked inside, as in `int value = fp_choose(0, 1);`"))
}

/// Refuses a data type that starts threads or marks operations itself: both belong to the test.
fn belongs_to_the_test(program: &Program, own: &[Function]) -> Result<(), Diagnostic> {
    for (number, function) in own.iter().enumerate() {
        for Inst { op, place } in function.blocks.iter().flat_map(|block| &block.insts) {
            let (what, why) = match op {
                Op::Spawn { .. } | Op::Join { .. } | Op::Detach { .. } => {
                    ("starts or awaits a thread", "the threads of a test are its columns")
                }
                Op::OperationBegin { .. } | Op::OperationEnd { .. } => {
                    ("marks an operation", "the operations are marked where the test calls them")
                }
                _ => continue,
            };
            let message =
                format!("the function `{}` {what}, which only the test does", function.name);
            let error = Diagnostic::general(message).note(why);
            // Of a function of the library, the user's line is that of the call.
            let is_call = |inst: &&Inst| match &inst.op {
                Op::Call { callee: Callee::Direct(to), .. } => to.index() == number,
                _ => false,
            };
            let mut insts = own.iter().flat_map(|f| &f.blocks).flat_map(|block| &block.insts);
            let place = place.filter(|at| !program.places[*at].location.is_library());
            let place = place.or_else(|| insts.find(is_call).and_then(|call| call.place));
            return Err(match place {
                Some(place) => error.note(format!("at {}", program.places[place].location)),
                None => error,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
