//! Fencepost as a library: checks data types and programs, without printing or ending the process.
//! [`embed`] is the place to start.
//!
//! ```
//! use fencepost::compile::{Language, compile_text};
//! use fencepost::run::{RunOptions, RunEnd, run};
//!
//! let source = "fpir 1\nentry main\nfn main() -> i32 {\nb0:\n  return i32 7\n}\n";
//! let compiled = compile_text("seven.fpir", source, Language::Fpir).unwrap();
//! let mut output = Vec::new();
//! assert_eq!(run(&compiled.program, &RunOptions::default(), &mut output), RunEnd::Exited(7));
//! ```
//!
//! - [`embed`]: from a text to an answer in one call.
//! - [`compile`]: source files to programs of the load-store language.
//! - [`run`]: programs under sequential consistency, one schedule or many.
//! - [`answer`]: verdicts that were confirmed.
//! - [`check`]: tests of data types under memory models.
//! - [`prove`]: data types with any number of threads.
//! - [`verify`]: whole programs under memory models.
//! - [`cycles`]: critical cycles of whole programs, and fences that cut them.
//! - [`mod@instrument`]: programs rewritten for tools that know no memory models.
//! - [`target`]: programs made ready for a memory model.
//! - [`evidence`]: queries and proofs as files; [`files`]: results in folders of the user's.
//! - [`watch`]: ends work that does not keep its limits.
//! - [`names`]: what files about answers are called.
//! - [`saved`]: counterexamples as files, which can be run again.
//! - [`litmus`]: litmus tests under memory models.
//! - [`murphi`]: models of guarded commands.
//!
//! Nothing here prints or ends the process; the command line is a crate of its own.

pub mod answer;
pub mod check;
pub mod comparison;
pub mod compile;
pub mod cycles;
mod database;
pub mod embed;
pub mod evidence;
pub mod files;
pub mod guard;
mod hash;
pub mod instrument;
pub mod litmus;
pub mod murphi;
pub mod names;
pub mod native;
pub mod prove;
pub mod run;
pub mod saved;
pub mod saved_path;
pub mod target;
pub mod verify;
pub mod watch;
