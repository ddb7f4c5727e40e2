//! The methods of Fencepost, one folder each; they know no files, no source languages, no printing.
//!
//! - [`test`]: tests of data types: their notation, suites of them, and the program that a test and
//!   a data type make together.

pub mod test;
