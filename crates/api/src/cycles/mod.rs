//! Critical cycles of whole programs under memory models, and the fences that cut them.
//!
//! `verify::plan` reads the program and the models; [`answer`] analyses the program on one of them,
//! without any bound; [`text`] and [`json`] say what was found.

pub mod json;
pub mod text;

use crate::target::prepare;
use crate::verify::plan::Subject;
use ::cycles::{Analysis, Failed, Point, analyse};
use execution::diagnostic::Diagnostic;
use execution::span::Location;
use ir::passes::mapping::Target;
use ir::program::Program;
use limits::Limits;

/// What the analysis says of a program on a model.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The name of the model.
    pub model: String,
    /// The cycles and fences.
    pub analysis: Analysis,
    /// The program as it is compiled for the model: places are its.
    pub program: Program,
    /// The strongest fence, in the words of the source.
    pub fence: &'static str,
}

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum NoAnswer {
    /// The program or the model cannot be analysed.
    Refused(Box<Diagnostic>),
    /// A limit was reached.
    GaveUp,
}

impl Answer {
    /// Whether nothing is left that the model may do and sequential consistency may not.
    pub fn is_clean(&self) -> bool {
        self.analysis.cycles.is_empty() && self.analysis.longer.is_empty()
    }

    /// Where an access is.
    pub fn location(&self, point: &Point) -> Option<&Location> {
        point.place.map(|place| &self.program.places[place].location)
    }
}

/// Analyses a program on one of its models.
pub fn answer(subject: &Subject, model: usize, limits: &Limits) -> Result<Answer, NoAnswer> {
    let model = &subject.models[model];
    let program = prepare(&subject.program, &subject.sources, model)
        .map_err(|refused| NoAnswer::Refused(Box::new(refused)))?;
    let analysis = match analyse(&program, model, limits) {
        Ok(analysis) => analysis,
        Err(Failed::Model(diagnostic)) => return Err(NoAnswer::Refused(diagnostic)),
        Err(Failed::GaveUp) => return Err(NoAnswer::GaveUp),
    };
    let fence = match replay::target::target_of(model) {
        Target::Linux => "smp_mb();",
        _ => "atomic_thread_fence(memory_order_seq_cst);",
    };
    Ok(Answer { model: model.name.clone(), analysis, program, fence })
}
