//! Memory as models see it: objects, cells, the values in them, and parts of these.

pub mod expand;
pub mod objects;
pub mod overlaps;
pub mod parts;
pub mod world;
