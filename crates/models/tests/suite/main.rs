//! Tests of the models on executions built by hand or at random.

mod classics;
mod common;
mod fuzz;
mod language;
mod mixed;
mod operational;
mod operators;
