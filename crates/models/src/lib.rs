//! Memory models: the cat language, the library of models as cat text, and the evaluator that
//! says whether a concrete execution satisfies a model.
//!
//! The stages, in order: [`lexer`], [`parser`] (to the [`ast`]), `load` (includes and the standard
//! library), `check` (names), `elaborate` (runs the functional part, which leaves relational
//! [`algebra`]), [`evaluate`] (the algebra on one execution). [`vocabulary`] says what an
//! execution must provide, [`library`] lists the models.
//!
//! ```
//! let model = models::Model::named("sc").unwrap();
//! let execution = execution::event::Execution::default();
//! assert!(models::check_execution(&model, &execution).unwrap().allowed());
//! ```

pub mod algebra;
mod architecture;
pub mod ast;
mod builtin;
mod check;
mod elaborate;
pub mod evaluate;
mod expression;
mod kernel;
pub mod lexer;
pub mod library;
mod live;
mod load;
mod local;
mod model;
mod monotone;
pub mod parser;
mod prefixes;
mod registers;
mod value;
pub mod vocabulary;

pub use architecture::{Architecture, with_mixed_sizes};
pub use evaluate::{
    Evaluator, Failure, Flag, Judgement, Shown, check_execution, check_execution_within,
};
pub use model::{Axiom, Compiled, Model, ModelError, Unevaluated, World};
