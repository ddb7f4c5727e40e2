//! The bounded program, before there are any literals: the parts of its accesses, its paths, and what
//! no thread writes.

pub(crate) mod cells;
pub(crate) mod never_written;
pub(crate) mod outlived;
pub(crate) mod paths;
pub(crate) mod sections;
pub(crate) mod splits;
pub(crate) mod unrolled;
