//! Loads shared libraries and calls their functions: the only unsafe code of the project.
//!
//! It runs in a process of its own ([`helper`](crate::helper)). What makes it sound is the user's word:
//! that a function has the type that its declaration says, and that loading its library does no harm.
//! If that is wrong, this process may crash or answer anything, and that is all it may do to Fencepost.

#![allow(unsafe_code)]

use ir::native::{NativeFunction, Scalar};
use ir::program::Width;
use libffi::middle::{Arg, Cif, CodePtr, Ret, Type};
use libloading::Library;
use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

/// How the process ends if a library fails for want of memory.
pub const OUT_OF_MEMORY: i32 = 113;
/// If there is less address space left than this, memory is what a library fails for.
const LITTLE: usize = 64 << 20;

/// The libraries that are loaded, by name; they stay loaded as long as the process lives.
#[derive(Default)]
pub struct Libraries(HashMap<String, Library>);

impl Libraries {
    /// The address of a function, by library and name.
    pub fn find(&mut self, name: &str) -> Result<*mut c_void, String> {
        let Some((library, symbol)) = name.rsplit_once(':') else {
            return Err(format!("`{name}` does not name a library and a function in it"));
        };
        if !self.0.contains_key(library) {
            // SAFETY: the code that a library runs when it is loaded is what the user asked for by
            // naming it.
            let loaded = unsafe { Library::new(library) };
            let loaded = loaded.map_err(|why| format!("cannot load `{library}`: {why}"))?;
            self.0.insert(library.to_string(), loaded);
        }
        // SAFETY: the address is not used as a function here, and the library stays loaded.
        let found = unsafe { self.0[library].get::<unsafe extern "C" fn()>(symbol.as_bytes()) };
        let function = found.map_err(|_| format!("`{library}` has no function `{symbol}`"))?;
        Ok(*function as *mut c_void)
    }

    /// Calls a function; arguments and result are extended to 64 bits.
    pub fn call(&mut self, function: &NativeFunction, arguments: &[u64]) -> Result<u64, String> {
        let address = self.find(&function.name)?;
        if arguments.len() != function.parameters.len() {
            return Err(format!("`{}` is called with another number of arguments", function.name));
        }
        let is_passed = |scalar: &&Scalar| !matches!(scalar, Scalar::Byte { first: false });
        let types = function.parameters.iter().filter(is_passed).map(|scalar| passed(*scalar));
        let interface = Cif::new(types.collect::<Vec<Type>>(), passed(function.result));
        let bytes = buffers(function, arguments);
        let mut pointers = bytes.iter().map(|bytes| bytes.as_ptr() as u64);
        let arguments: Vec<u64> = function
            .parameters
            .iter()
            .zip(arguments)
            .filter(|(scalar, _)| is_passed(scalar))
            .map(|(scalar, &argument)| match scalar {
                Scalar::Byte { .. } => pointers.next().unwrap_or_default(),
                _ => argument,
            })
            .collect();
        // Machines that this runs on keep the lowest byte first, so a narrow argument is at the
        // address of the wide one.
        let arguments: Vec<Arg<'_>> = arguments.iter().map(Arg::new).collect();
        let mut result = 0u64;
        // SAFETY: that the function has this type is the user's word; the result is at most as wide
        // as the number that it is written to.
        unsafe {
            let code = CodePtr(address);
            interface.call_return_into(code, &arguments, Ret::new(&mut result));
        }
        let mask = function.result.width().mask() as u64;
        Ok(result & mask)
    }
}

/// Writes what libraries have printed.
pub fn flush() {
    // SAFETY: it flushes all streams of C.
    unsafe { libc::fflush(null_mut()) };
}

/// From now on, the process ends with [`OUT_OF_MEMORY`] where it would end in another way and hardly any
/// memory is left. Files that grow past their limit are not written any more, and that is all.
pub fn watch_memory() {
    let handler = fails as extern "C" fn(c_int) as libc::sighandler_t;
    // SAFETY: the handlers call functions only that may be called in a handler.
    unsafe {
        for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGABRT, libc::SIGILL, libc::SIGFPE] {
            libc::signal(signal, handler);
        }
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        libc::atexit(exits);
    }
}

extern "C" fn exits() {
    // SAFETY: mapping inaccessible memory at an address of the system's choice changes nothing else.
    unsafe {
        let (access, kind) = (libc::PROT_NONE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        let mapped = libc::mmap(null_mut(), LITTLE, access, kind, -1, 0);
        if mapped == libc::MAP_FAILED {
            libc::_exit(OUT_OF_MEMORY);
        }
        libc::munmap(mapped, LITTLE);
    }
}

/// The signal ends the process when the handler returns and what raised it is done again.
extern "C" fn fails(signal: c_int) {
    exits();
    // SAFETY: it may be called in a handler.
    unsafe { libc::signal(signal, libc::SIG_DFL) };
}

/// What each pointer among the arguments points to.
fn buffers(function: &NativeFunction, arguments: &[u64]) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = Vec::new();
    for (scalar, &argument) in function.parameters.iter().zip(arguments) {
        match scalar {
            Scalar::Byte { first: true } => all.push(vec![argument as u8]),
            Scalar::Byte { first: false } => {
                all.last_mut().into_iter().for_each(|bytes| bytes.push(argument as u8));
            }
            Scalar::Integer(..) | Scalar::Float(_) => {}
        }
    }
    all
}

/// How libffi calls a type.
fn passed(scalar: Scalar) -> Type {
    let bytes = scalar.width().bytes();
    match (scalar, bytes) {
        (Scalar::Byte { .. }, _) => Type::pointer(),
        (Scalar::Float(Width::I32), _) => Type::f32(),
        (Scalar::Float(_), _) => Type::f64(),
        (Scalar::Integer(_, true), 1) => Type::i8(),
        (Scalar::Integer(_, true), 2) => Type::i16(),
        (Scalar::Integer(_, true), 4) => Type::i32(),
        (Scalar::Integer(_, true), _) => Type::i64(),
        (Scalar::Integer(_, false), 1) => Type::u8(),
        (Scalar::Integer(_, false), 2) => Type::u16(),
        (Scalar::Integer(_, false), 4) => Type::u32(),
        (Scalar::Integer(_, false), _) => Type::u64(),
    }
}
