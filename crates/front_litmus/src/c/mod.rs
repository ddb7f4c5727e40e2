//! The C dialects of litmus tests: C11 atomics and the Linux kernel's primitives.

pub mod ast;
mod c11;
mod kernel;
pub mod lower;
pub mod parse;

use crate::test::Dialect;
use ast::Function;

/// The dialect of a test, from the functions that it calls: the kernel's unless something in it
/// is C11's.
pub fn dialect(functions: &[Function]) -> Dialect {
    let mut c11 = false;
    let mut kernel = false;
    for function in functions {
        c11 |= function.params.iter().any(|param| param.c11_atomic);
        function.visit_names(&mut |name| {
            c11 |= name.starts_with("memory_order_") || c11::is_own(name);
            kernel |= kernel::is_own(name);
        });
    }
    if c11 && !kernel { Dialect::C11 } else { Dialect::Kernel }
}
