//! Functions of shared libraries that stand for declared ones: a stub that calls, with the types of the
//! declaration.
//!
//! Soundness S-320 (verify; all; misses): A native function gets a copy of the bytes that `fp_bytes`
//! names; that it reads no others and keeps no pointer to them is the user's word. Test:
//! crates/fencepost/tests/native.rs::bytes_are_read_by_the_caller_and_passed.

use super::unit::Lowering;
use crate::sema::tree::FunctionId;
use crate::sema::types::Type;
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use ir::build::FunctionBuilder;
use ir::native::{NativeFunction, Scalar};
use ir::op::{Op, Operand, Terminator};
use ir::program::{FuncId, Function, Width, public_name};

impl Lowering<'_> {
    /// Whether a function of a shared library stands for this one.
    pub fn is_native(&self, id: FunctionId) -> bool {
        self.native(id).is_some()
    }

    /// A function that calls one of a shared library, and reads so many bytes through each argument.
    pub fn native_reading(
        &mut self,
        id: FunctionId,
        reads: Vec<Option<u32>>,
        used: Span,
    ) -> FuncId {
        let key = (id, reads);
        if let Some(known) = self.reading.get(&key) {
            return *known;
        }
        let name = self.unique_name(&format!("{}.bytes", self.unit.functions[id].name));
        let function = self.builder.declare(&name);
        let native = self.native(id).unwrap_or_default();
        match self.native_stub(id, native, &key.1, Some(used)) {
            Ok(stub) => self.builder.define(function, Function { name, ..stub }),
            Err(error) => self.errors.push(error),
        }
        self.reading.insert(key, function);
        function
    }

    /// A function that calls one of a shared library; `reads` says how many bytes it reads through each
    /// of its arguments, and `used` is where it is needed.
    pub(super) fn native_stub(
        &mut self,
        id: FunctionId,
        native: &str,
        reads: &[Option<u32>],
        used: Option<Span>,
    ) -> Result<Function, Diagnostic> {
        let function = &self.unit.functions[id];
        let place = self.place(function.span, &function.name);
        let name = public_name(&function.name);
        let refuse = |what: String| {
            let text = format!("`{name}` cannot be called as a native function");
            let error = Diagnostic::error(used.unwrap_or(function.span), text);
            error.also(function.span, what).note(
                "a native function takes and gives integers, `float` and `double`, of a number that its \
                 declaration says, and takes pointers to constant bytes, as `fp_bytes(pointer, 8)`",
            )
        };
        if function.ty.variadic || function.ty.unprototyped {
            return Err(refuse("it may take any number of arguments".to_string()));
        }
        let result = self.scalar(&function.ty.result.ty);
        let result = result.ok_or_else(|| refuse("its result is neither".to_string()))?;
        let mut parameters = Vec::new();
        for (index, parameter) in function.ty.params.iter().enumerate() {
            let what = || refuse(format!("its parameter {} is neither", index + 1));
            match reads.get(index).copied().flatten() {
                None => parameters.push(self.scalar(&parameter.ty).ok_or_else(what)?),
                Some(length) if self.is_constant_bytes(&parameter.ty) => {
                    parameters.extend((0..length).map(|byte| Scalar::Byte { first: byte == 0 }));
                }
                Some(_) => {
                    let what =
                        format!("its parameter {} is no pointer to constant bytes", index + 1);
                    return Err(refuse(what));
                }
            }
        }
        let width = result.width();
        let mut out = FunctionBuilder::new(&function.name, Some(width), Some(place));
        let args: Vec<Operand> =
            parameters.iter().map(|it| Operand::Reg(out.param(it.width(), None))).collect();
        let function = NativeFunction { name: native.to_string(), parameters, result };
        let dst = out.reg(width, None);
        out.emit(Op::Native { dst, function, args }, Some(place));
        out.terminate(Terminator::Return(Some(Operand::Reg(dst))), Some(place));
        Ok(out.finish())
    }

    /// Whether a type is that of a pointer through which bytes are only read.
    fn is_constant_bytes(&self, ty: &Type) -> bool {
        ty.pointee().is_some_and(|to| {
            let is_byte = to.ty == Type::Void || self.unit.types.size_of(&to.ty) == Some(1);
            to.is_const() && is_byte
        })
    }

    /// How a type is passed, if it is a number of up to 64 bits.
    fn scalar(&self, ty: &Type) -> Option<Scalar> {
        if let Type::Float(kind) = ty {
            let width = kind.width();
            return (width <= Width::I64).then_some(Scalar::Float(width));
        }
        let (bits, signed) = self.unit.types.integer(ty)?;
        let width = Width::from_bits(bits).filter(|width| *width <= Width::I64)?;
        Some(Scalar::Integer(width, signed))
    }
}
