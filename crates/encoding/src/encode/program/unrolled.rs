//! The driver of unrolling: unrolls a program and finds the values of its terms, again and again
//! until what was assumed about memory holds, and finds out all that is known without literals.
//!
//! Which objects need an end that is an action is found out by unrolling without such actions first
//! ([`outlived`](super::outlived)); so is, where memory decides which functions are called, what no
//! thread writes ([`never_written`](super::never_written)), and whether iterations may be dropped
//! that poll under a mutex ([`polling`](crate::encode::reductions::polling)).
//!
//! Nothing here depends on which executions are encoded ([`Scope`](crate::encode::Scope)): several
//! encodings may share one unrolled program.

use super::outlived::outlived;
use super::paths::Paths;
use super::{cells, never_written, sections, splits};
use crate::bounded::{Action, ActionId, ActionKind, Bounded};
use crate::encode::questions::past_bound::writes_justify_reads;
use crate::encode::reductions::{initial_states, mutexes, polling};
use crate::encode::{EncodeOptions, MemoryCell, Mutexes};
use crate::known;
use crate::term::TermId;
use crate::unroll::{self, Calls, Language, Unsupported, unroll};
use crate::values::{self, Sets};
use ir::program::{Program, Width};
use ir::value::{RegionId, Value};
use models::{Compiled, Model};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// A program under a model, unrolled, with all that is known of it before there are any literals.
pub struct Unrolled {
    pub(crate) bounded: Arc<Bounded>,
    pub(crate) sets: Arc<Sets>,
    pub(crate) language: Language,
    pub(crate) paths: Paths,
    /// The cells that may be accessed, with what they hold at first.
    pub(crate) cells: BTreeMap<MemoryCell, TermId>,
    /// The undefined value of each width.
    pub(crate) undefined: HashMap<Width, TermId>,
    /// The zero of each width.
    pub(crate) zero: HashMap<Width, TermId>,
    /// The reads of instructions that also write.
    pub(crate) updates: HashSet<ActionId>,
    /// The objects whose ends are actions.
    pub(crate) ending: BTreeSet<RegionId>,
    /// The accesses of words of mutexes that are encoded directly.
    pub(crate) of_mutexes: HashSet<ActionId>,
    /// The choices of the first thread, if they decide everything that it does and only some are to
    /// be explored.
    pub(crate) choices: Option<Vec<TermId>>,
}

impl Unrolled {
    /// Unrolls a program. Of the options, [`EncodeOptions::scope`] and those of the solver do not
    /// matter. If the limits are reached meanwhile ([`Limits::expired`](sat::Limits::expired)),
    /// there is an error too.
    pub fn new(
        program: &Program,
        model: &Model,
        options: &EncodeOptions,
    ) -> Result<Self, Unsupported> {
        let language = options.language.unwrap_or_else(|| Language::of(model));
        let (mut bounded, sets) = without_visible_polling(program, model, options, language)?;
        is_encodable(&mut bounded, program, model)?;
        let cells = cells::cells(&mut bounded, program, &sets)?;
        let undefined = cells::constants(&mut bounded, &cells, Value::undef);
        let zero = cells::constants(&mut bounded, &cells, |width| Value::int(width, 0));
        let updates = updates(&bounded);
        let paths = Paths::new(&mut bounded, &options.limits)?;
        let of_mutexes = match options.mutexes {
            Mutexes::Direct => mutexes::accesses(&bounded, model),
            Mutexes::Atomics => HashSet::new(),
        };
        let choices = match options.initial_states.is_empty() {
            true => None,
            false => initial_states::choices(&mut bounded),
        };
        let ending = bounded.ending();
        Ok(Self {
            bounded: Arc::new(bounded),
            sets: Arc::new(sets),
            language,
            paths,
            cells,
            undefined,
            zero,
            updates,
            ending,
            of_mutexes,
            choices,
        })
    }

    /// Whether costly operations have more results than can be listed.
    pub fn has_tables(&self) -> bool {
        !self.bounded.tabled.is_empty()
    }
}

/// Unrolls a program; iterations that poll under a mutex are dropped where no thread can tell.
fn without_visible_polling(
    program: &Program,
    model: &Model,
    options: &EncodeOptions,
    language: Language,
) -> Result<(Bounded, Sets), Unsupported> {
    let mut unrolling = options.unroll.clone();
    unrolling.language = language;
    unrolling.limits = options.limits.clone();
    unrolling.by_text = writes_justify_reads(model, language);
    unrolling.reduce_polling = unrolling.reduce_spin_loops;
    unrolling.races = model.raises_flags();
    let in_parts = model.knows_mixed_sizes();
    let (mut bounded, sets) = unroll_and_analyse(program, options, &unrolling, in_parts)?;
    if polling::is_unseen(&mut bounded, program, &sets, model) {
        return Ok((bounded, sets));
    }
    unrolling.reduce_polling = false;
    unroll_and_analyse(program, options, &unrolling, in_parts)
}

/// Whether the model can be encoded, and gives a meaning to the program's atomic sections.
fn is_encodable(
    bounded: &mut Bounded,
    program: &Program,
    model: &Model,
) -> Result<(), Unsupported> {
    if model.looks_at_registers() {
        let what = format!("the model {} computes dependencies from registers", model.name);
        return Err(Unsupported::new(what, None));
    }
    compiled(model)?;
    if !model.knows_atomic_sections()
        && let Some(action) = sections::larger_than_an_update(bounded)
    {
        let name = &model.name;
        let inside = action.origin.library_function(program);
        let inside = inside.map_or(String::new(), |function| format!(" in `{function}`"));
        let what = format!(
            "an atomic section of several accesses{inside}, to which the model {name} gives no \
             meaning"
        );
        return Err(Unsupported::new(what, action.origin.users_place(program)));
    }
    Ok(())
}

/// The model's text as an algebra of relations, if it is one for all executions.
pub(crate) fn compiled(model: &Model) -> Result<&Compiled, Unsupported> {
    model.compiled().ok_or_else(|| {
        let what = format!("the model {} looks at each execution by itself", model.name);
        Unsupported::new(what, None)
    })
}

/// Unrolls a program, with the ends of the objects that a thread may access too late, and finds
/// the values of its terms; `in_parts` if accesses may be divided.
fn unroll_and_analyse(
    program: &Program,
    options: &EncodeOptions,
    unrolling: &unroll::UnrollOptions,
    in_parts: bool,
) -> Result<(Bounded, Sets), Unsupported> {
    let mut unrolling = unrolling.clone();
    unrolling.calls = never_written::at_first(&unrolling);
    loop {
        let mut bounded = match unroll(program, &unrolling) {
            Ok(bounded) => bounded,
            // What is assumed may lead where the program never comes.
            Err(_) if matches!(unrolling.calls, Calls::NeverWritten(_)) => {
                unrolling.calls = Calls::Any;
                continue;
            }
            Err(unsupported) => return Err(unsupported),
        };
        if unrolling.calls == Calls::Reported && bounded.calls_any {
            unrolling.calls = Calls::NeverWritten(BTreeSet::new());
            continue;
        }
        let sets = splits::analysed(&mut bounded, options, in_parts);
        unroll::in_time(&options.limits)?;
        if let Calls::NeverWritten(known) = &mut unrolling.calls
            && never_written::learn(&mut bounded, &sets, known)
        {
            continue;
        }
        if let Some(known) = &mut unrolling.known
            && known::must_be_tables(&bounded, &sets, known)
        {
            continue;
        }
        let outlived = outlived(&mut bounded, &sets);
        if outlived.is_empty() {
            if let Some(known) = &unrolling.known {
                bounded.tabled = known.tabled().clone();
            }
            values::floats::check(&bounded, &sets, &options.values)?;
            return Ok((bounded, sets));
        }
        unrolling.outlived.extend(outlived);
    }
}

/// The reads of instructions that also write.
fn updates(bounded: &Bounded) -> HashSet<ActionId> {
    let read = |action: &Action| match action.kind {
        ActionKind::Write { rmw: Some(pairing), .. } if pairing.single => Some(pairing.read),
        _ => None,
    };
    bounded.actions.iter().filter_map(read).collect()
}
