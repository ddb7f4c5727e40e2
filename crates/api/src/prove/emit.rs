//! A data type as a Murphi model, for a few threads: what another tool can check.

use super::plan::Subject;
use crate::answer::memory_limit;
use crate::compile::Rejected;
use crate::target;
use engines::test::compose::Composed;
use engines::views::{self, Explored, Instance, NoInstance, Options, Target};
use execution::diagnostic::Diagnostic;
use ir::program::{GlobalId, LocId, Program, Width};
use ir::value::Value;
use sat::{Interrupter, Limits};
use std::num::NonZeroU32;
use std::time::Instant;
use to_murphi::{Held, Object, Operation, Refused, Serial, Start};

/// How large a model is.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// How many threads.
    pub threads: NonZeroU32,
    /// How many heap blocks may be known at a time; none means enough for most data types.
    pub nodes: Option<usize>,
}

/// A thread can know a new block, and blocks that the others have removed.
const NODES_OF_A_THREAD: usize = 3;

/// A model, and what it cannot show, in words.
#[derive(Clone, Debug)]
pub struct Emitted {
    /// The model as text.
    pub text: String,
    /// What it does not show, if there is anything.
    pub remark: Option<String>,
}

/// The model of a data type on sequential consistency.
pub fn emit(subject: &Subject, size: Size) -> Result<Emitted, Box<Rejected>> {
    let prepared = compiled(subject)?;
    let options = options(subject, &Interrupter::default());
    let instance = views::instance(&prepared.composed, prepared.reference.as_ref(), &options)
        .map_err(|why| prepared.refused(subject, why.what, why.place))?;
    let grown = largest(&instance) + instance.blocks();
    let nodes = size.nodes.unwrap_or(grown + NODES_OF_A_THREAD * size.threads.get() as usize);
    let model = to_murphi::Subject {
        program: &instance.program,
        operations: instance.operations.iter().map(operation).collect(),
        start: &Memory(&instance),
        serial: serial(&instance),
        file: subject.test.path.display().to_string(),
        threads: size.threads,
        nodes,
    };
    let model = to_murphi::emit(&model).map_err(|Refused { what, place }| {
        let message = format!("not supported in Murphi models: {what}");
        rejected(&instance.program, message, place)
    })?;
    let lines: Vec<String> = model.loops.iter().map(u32::to_string).collect();
    let remark = (!lines.is_empty()).then(|| {
        let plural = if lines.len() > 1 { "s" } else { "" };
        format!(
            "the model does not show whether a thread waits for ever in a loop of several accesses \
             (at line{plural} {})",
            lines.join(", ")
        )
    });
    Ok(Emitted { text: model.text, remark })
}

/// Whether something is wrong with any execution of so many threads, as our own exploration says.
pub fn explore(
    subject: &Subject,
    threads: usize,
    most: usize,
    interrupter: &Interrupter,
) -> Result<Explored, Box<Rejected>> {
    let prepared = compiled(subject)?;
    let options = options(subject, interrupter);
    views::explore_instance(
        &prepared.composed,
        prepared.reference.as_ref(),
        &options,
        (threads, most),
    )
    .map_err(|NoInstance { what, place }| prepared.refused(subject, what, place))
}

/// The data type, and what is right, as compiled for sequential consistency.
struct Ready {
    composed: Composed,
    reference: Option<Composed>,
}

impl Ready {
    fn refused(&self, _: &Subject, what: String, place: Option<LocId>) -> Box<Rejected> {
        let message = format!("not supported by proofs: {what}");
        rejected(&self.composed.program, message, place)
    }
}

fn compiled(subject: &Subject) -> Result<Ready, Box<Rejected>> {
    let [model] = &subject.test.models[..] else {
        return Err(only_sc());
    };
    if model.name != "sc" {
        return Err(only_sc());
    }
    let test = &subject.test.tests[0];
    let compiled = |composed: &Composed| {
        let program = target::compile(&composed.program, model)
            .map_err(|refused| rejected(&composed.program, refused.what, refused.place))?;
        Ok::<_, Box<Rejected>>(Composed { program, ..composed.clone() })
    };
    let reference = test.spec.as_ref().map(compiled).transpose()?;
    Ok(Ready { composed: compiled(&test.composed)?, reference })
}

fn only_sc() -> Box<Rejected> {
    let error = Diagnostic::general("a Murphi model is written for sc alone");
    Box::new(Rejected {
        sources: Default::default(),
        diagnostics: vec![error.note("leave out --model, or say --model sc")],
    })
}

fn rejected(program: &Program, what: String, place: Option<LocId>) -> Box<Rejected> {
    let message = format!("{what}{}", super::text::at(program, place));
    let diagnostics = vec![Diagnostic::general(message)];
    Box::new(Rejected { sources: Default::default(), diagnostics })
}

fn options(subject: &Subject, interrupter: &Interrupter) -> Options {
    let request = &subject.request;
    Options {
        buffers: false,
        abstraction: subject.abstraction.clone(),
        values: request.values,
        size: request.size,
        shape: subject.shape,
        limits: Limits {
            deadline: request.time_limit.map(|limit| Instant::now() + limit),
            memory: memory_limit(request.memory_limit),
            interrupter: interrupter.clone(),
            ..Limits::default()
        },
    }
}

fn operation(
    (name, function, chosen): &(String, ir::program::FuncId, Vec<Vec<Value>>),
) -> Operation {
    let numbers = |values: &Vec<Value>| values.iter().map(|value| number(*value)).collect();
    let choices = chosen.iter().map(numbers).collect();
    Operation { name: name.clone(), function: *function, choices }
}

fn serial(instance: &Instance) -> Serial {
    let step = |step: &Option<(Vec<(String, Value)>, usize)>| {
        step.as_ref().map(|(observed, to)| {
            let shown = observed.iter().map(|(label, value)| (label.clone(), number(*value)));
            (shown.collect(), *to)
        })
    };
    let operation = |steps: &Vec<_>| steps.iter().map(step).collect();
    let moves = instance.serial.iter().map(|state| state.iter().map(operation).collect());
    Serial { moves: moves.collect() }
}

/// How many steps the abstract type can grow: how far its farthest state is from the first.
fn largest(instance: &Instance) -> usize {
    let mut distance = vec![usize::MAX; instance.serial.len()];
    distance[0] = 0;
    let mut open = std::collections::VecDeque::from([0]);
    while let Some(state) = open.pop_front() {
        for (_, to) in instance.serial[state].iter().flatten().flatten() {
            if distance[*to] == usize::MAX {
                distance[*to] = distance[state] + 1;
                open.push_back(*to);
            }
        }
    }
    distance.into_iter().filter(|steps| *steps != usize::MAX).max().unwrap_or(0)
}

fn number(value: Value) -> i128 {
    match value.width == Width::BOOL {
        true => value.bits as i128,
        false => value.as_signed(),
    }
}

/// The memory at the start, as models ask for it.
struct Memory<'a>(&'a Instance);

impl Start for Memory<'_> {
    fn blocks(&self) -> usize {
        self.0.blocks()
    }

    fn held(&self, object: Object, offset: u64, width: Width) -> Held {
        let value = match object {
            Object::Global(global) => self.0.of_global(global, offset, width),
            Object::Heap(block) => self.0.of_block(block, offset, width),
        };
        if !value.is_defined() {
            return Held::Undefined;
        }
        let address = |object, offset| Held::Address(object, offset);
        match self.0.target(value) {
            None => Held::Number(number(value)),
            Some(Target::Block(block, offset)) => address(Object::Heap(block), offset),
            Some(Target::Global(global, offset)) => {
                let global: GlobalId = global;
                address(Object::Global(global), offset)
            }
            Some(Target::Other) => Held::Other,
        }
    }
}
