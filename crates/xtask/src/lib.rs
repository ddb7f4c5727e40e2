//! Commands for people who work on Fencepost: benchmarks and tests that take long.
//!
//! - [`agree`]: random programs under the solver and under the oracle.
//! - [`bridge`]: data types as Murphi models, by Rumur and by us.
//! - [`bench`]: how fast the stepper and the C front end are.
//! - [`coverage`]: which branches are reached, against brute force.
//! - [`csmith`]: random C programs under gcc and under Fencepost.
//! - [`examples`]: all examples under many random schedules.
//! - [`fuzz`]: mutated inputs for every command, which may not panic or exceed its limits.
//! - [`instrument`]: programs that were rewritten for a model, against the model.
//! - [`litmus`]: how fast litmus tests are answered.
//! - [`methods`]: observation sets and verdicts by one method against another.
//! - [`murphi`]: Murphi models beside Rumur.
//! - [`oracle`]: all that can come of small C programs, by brute force.
//! - [`order`]: what each way of demanding acyclicity costs the solvers.
//! - [`papers`]: the results of the papers, reproduced.
//! - [`rumur`]: another tool for Murphi models.
//! - [`satcheck`]: the programs of the SATCheck evaluation with growing size.
//! - [`soundness`]: the register of approximations in SOUNDNESS.md, from the source files.
//! - [`stories`]: whether the stories of counterexamples are true.
//! - [`verify_corpus`]: whole programs with expected verdicts.
//! - [`shortcuts`]: random programs whose states are visited with and without shortcuts.
//! - [`side_by_side`]: processor time of all engines on programs that grow.
//! - [`views`]: what the machine with views can observe, against brute force.
//! - [`variants`]: changed data types, and what proofs say of them.
//! - [`ways`]: random programs with locks, in ways that must give the same answers.

pub mod agree;
pub mod bench;
pub mod bridge;
pub mod coverage;
pub mod csmith;
pub mod examples;
pub mod fuzz;
pub mod instrument;
pub mod litmus;
pub mod methods;
pub mod murphi;
pub mod oracle;
pub mod order;
pub mod papers;
pub mod proofs;
pub mod rumur;
pub mod satcheck;
pub mod shortcuts;
pub mod side_by_side;
pub mod soundness;
pub mod stories;
pub mod timing;
pub mod variants;
pub mod verify_corpus;
pub mod views;
pub mod ways;

use std::path::PathBuf;

/// The root of the repository.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}
