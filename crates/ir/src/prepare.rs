//! The one list of passes: what is done to a program, and in which order, on its way from a front
//! end to an engine.
//!
//! Each stage is an array of passes, below, in the order in which they run; a pass is a file of
//! [`passes`](crate::passes). The stages follow each other:
//!
//! 1. [`built`]: a function has all its blocks.
//! 2. [`lowered`]: a front end has lowered a function.
//! 3. [`tidy`]: a front end has lowered all of them. This is what `fencepost ir` shows.
//! 4. [`whole`]: the questions about the program are known.
//! 5. [`reusing_memory`]: freed blocks may be given again.
//! 6. [`for_target`]: the program is put to a memory model. It may be refused.
//! 7. [`in_one_order`]: the program was a litmus test in C.
//! 8. At need, on the way of one engine: [`for_states`], [`in_pieces`].
//! 9. In experiments only: [`without_fence`].
//!
//! Users, tests and `xtask` use the same stages: the passes themselves cannot be called from other
//! crates. In debug builds a program is checked after every pass.

use crate::cfg::{Irreducible, LoopForest};
use crate::passes::allocator_order::allocator_order;
use crate::passes::few_choices::few_choices;
use crate::passes::filled_at_once::filled_at_once;
use crate::passes::mapping::{Target, Unsupported, compile_for};
use crate::passes::members::members;
use crate::passes::observing::observing;
use crate::passes::one_entry::one_entry;
use crate::passes::promote::promote;
use crate::passes::prune::prune;
use crate::passes::reachable_only::reachable_only;
use crate::passes::renumber_places::renumber_places;
use crate::passes::silent::silent;
use crate::passes::simplify_cfg::simplify_cfg;
use crate::passes::without_parameters::without_parameters;
use crate::passes::{in_one_order as order, in_pieces as pieces, without_fence as fences};
use crate::program::{Function, Program};
use crate::verify::assert_well_formed;
use execution::witness::Split;

pub use crate::passes::without_fence::{DirectedFence, directed_fences};

/// What decides how a whole program is prepared.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Preparation {
    /// Who observes outcomes, if they are asked for.
    pub observer: Option<Observer>,
    /// Whether the program is composed of a data type and a test, which may reach little of it: the
    /// rest is dropped.
    pub composed: bool,
}

/// A function that observes outcomes where the program ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observer {
    /// Its name.
    pub function: String,
    /// Whether other observations are wanted, too.
    pub others: bool,
}

/// Which plain accesses are split, and how.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pieces {
    /// The accesses, and the sizes of their parts.
    pub splits: Vec<Split>,
    /// Whether an atomic section holds the parts of each access together: where threads take turns,
    /// the result does what the program does. Its executions are some of those without the sections.
    pub at_once: bool,
}

const BUILT: [FunctionPass; 1] = [("reachable_only", reachable_only)];

// Between the two, what is still irreducible is refused.
const LOWERED: [FunctionPass; 2] = [("one_entry", one_entry), ("simplify_cfg", simplify_cfg)];

const TIDY: [Pass<()>; 2] = [
    ("simplify_cfg", |program, _| of_functions(program, simplify_cfg)),
    ("renumber_places", |program, _| renumber_places(program)),
];

const WHOLE: [Pass<Preparation>; 7] = [
    ("observing", |program, known| match &known.observer {
        Some(observer) => observing(program, observer),
        None => program,
    }),
    ("members", |program, _| members(program)),
    ("without_parameters", |program, _| without_parameters(program)),
    ("silent", |program, _| silent(program)),
    ("filled_at_once", |program, _| filled_at_once(program)),
    ("prune", |program, known| if known.composed { prune(program) } else { program }),
    ("renumber_places", |program, known| match known.composed {
        true => renumber_places(program),
        // Its places keep the numbers that the front end gave them: saved counterexamples use these.
        false => program,
    }),
];

const REUSING_MEMORY: [Pass<()>; 1] = [("allocator_order", |program, _| allocator_order(program))];

const FOR_TARGET: [Refusing<Target>; 1] =
    [("mapping", |program, &target| compile_for(program, target))];

const IN_ONE_ORDER: [Pass<()>; 1] = [("in_one_order", |program, _| order::in_one_order(program))];

const FOR_STATES: [Pass<()>; 2] = [
    ("promote", |program, _| promote(program)),
    ("few_choices", |program, _| few_choices(program)),
];

const IN_PIECES: [Pass<Pieces>; 1] = [("in_pieces", pieces::in_pieces)];

const WITHOUT_FENCE: [Pass<usize>; 1] =
    [("without_fence", |program, &number| fences::without_fence(program, number))];

/// The stages in their order, with the names of their passes.
pub fn stages() -> Vec<(&'static str, Vec<&'static str>)> {
    vec![
        ("built", names(&BUILT)),
        ("lowered", names(&LOWERED)),
        ("tidy", names(&TIDY)),
        ("whole", names(&WHOLE)),
        ("reusing_memory", names(&REUSING_MEMORY)),
        ("for_target", names(&FOR_TARGET)),
        ("in_one_order", names(&IN_ONE_ORDER)),
        ("for_states", names(&FOR_STATES)),
        ("in_pieces", names(&IN_PIECES)),
        ("without_fence", names(&WITHOUT_FENCE)),
    ]
}

/// A function whose blocks are known, without those that cannot be reached.
pub fn built(function: Function) -> Function {
    BUILT.iter().fold(function, |function, (_, pass)| pass(function))
}

/// A function that a front end has lowered, in its simplest form: every cycle of its control flow
/// is a loop. If some are not, the error says which.
pub fn lowered(function: Function) -> Result<Function, Irreducible> {
    let [(_, one_entry), (_, simplify_cfg)] = LOWERED;
    let function = one_entry(function);
    // Before blocks that only jump on are skipped: one of them is the `goto` to point at.
    LoopForest::new(&function)?;
    Ok(simplify_cfg(function))
}

/// Brings a front end's program into its simplest form: control flow simplified, places numbered
/// in the order of the text form.
///
/// The program must be well formed, except that it may have unreachable blocks; what comes out is
/// well formed.
pub fn tidy(program: Program) -> Program {
    run(&TIDY, program, &())
}

/// The program that is asked about: runs under its own name, prints nothing, and observes what is
/// asked for.
pub fn whole(program: Program, preparation: &Preparation) -> Program {
    run(&WHOLE, program, preparation)
}

/// The program for executions in which allocations may give freed blocks again.
pub fn reusing_memory(program: Program) -> Program {
    run(&REUSING_MEMORY, program, &())
}

/// The program as it is compiled for a target; refuses what has no meaning there.
pub fn for_target(program: &Program, target: Target) -> Result<Program, Unsupported> {
    let [(name, compile)] = FOR_TARGET;
    compile(program, &target).map(|program| checked(program, name))
}

/// A litmus test in C that was compiled for a target: compilers evaluate operands in one order.
pub fn in_one_order(program: Program) -> Program {
    run(&IN_ONE_ORDER, program, &())
}

/// The program for an engine that visits states: fewer objects, and fewer values to choose from.
pub fn for_states(program: Program) -> Program {
    run(&FOR_STATES, program, &())
}

/// The program with plain accesses split.
pub fn in_pieces(program: Program, pieces: &Pieces) -> Program {
    run(&IN_PIECES, program, pieces)
}

/// The program without the fence that has this number in [`directed_fences`].
pub fn without_fence(program: Program, number: usize) -> Program {
    run(&WITHOUT_FENCE, program, &number)
}

/// A pass of functions: the name of its file, and what it does.
type FunctionPass = (&'static str, fn(Function) -> Function);
/// A pass of programs: the name of its file, and what it does, given what it has to know.
type Pass<Known> = (&'static str, fn(Program, &Known) -> Program);
/// A pass that some programs do not get past.
type Refusing<Known> = (&'static str, fn(&Program, &Known) -> Result<Program, Unsupported>);

fn run<Known>(passes: &[Pass<Known>], program: Program, known: &Known) -> Program {
    passes.iter().fold(program, |program, (name, pass)| checked(pass(program, known), name))
}

/// The same program; debug builds check that it is well formed after a pass.
fn checked(program: Program, pass: &str) -> Program {
    if cfg!(debug_assertions) {
        assert_well_formed(&program, pass);
    }
    program
}

fn of_functions(program: Program, pass: fn(Function) -> Function) -> Program {
    let functions = program.functions.into_iter().map(pass).collect();
    Program { functions, ..program }
}

fn names<Run>(passes: &[(&'static str, Run)]) -> Vec<&'static str> {
    passes.iter().map(|(name, _)| *name).collect()
}

#[cfg(test)]
mod tests {
    use super::stages;
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    fn source() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
    }

    fn files(folder: &Path) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).expect("a folder");
        entries.map(|entry| entry.expect("an entry").path()).collect()
    }

    #[test]
    fn every_pass_is_in_the_list() {
        let stem = |path: PathBuf| path.file_stem().and_then(|s| s.to_str()).map(String::from);
        let mut passes: BTreeSet<String> =
            files(&source().join("passes")).into_iter().filter_map(stem).collect();
        assert!(passes.remove("mod"));
        let all = stages();
        let listed = all.iter().flat_map(|(_, passes)| passes).map(|name| name.to_string());
        assert_eq!(listed.collect::<BTreeSet<String>>(), passes);
    }

    /// Other crates cannot: passes are visible in this one only.
    #[test]
    fn passes_are_called_by_the_list_alone() {
        let mut open = files(&source());
        while let Some(path) = open.pop() {
            if path.is_dir() {
                open.extend(files(&path).into_iter().filter(|path| !path.ends_with("passes")));
            } else if !path.ends_with("prepare.rs") {
                let text = std::fs::read_to_string(&path).expect("a text");
                let calls = text.contains("passes::");
                assert!(!calls, "{} names a pass: use `prepare`", path.display());
            }
        }
        for path in files(&source().join("passes")) {
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
            let visible = text.lines().filter(|line| line.starts_with("pub fn ")).filter(|line| {
                // What there is to leave out, not a pass.
                !line.starts_with("pub fn directed_fences(")
            });
            assert_eq!(visible.count(), 0, "the pass {name} can be called from anywhere");
        }
    }
}
