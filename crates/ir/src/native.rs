//! Functions of shared libraries: they are called, not executed.
//!
//! The user who names one vouches that it is a function of its arguments. A program carries the means to
//! call them ([`Natives`]), which are no part of what it is: two programs with the same functions are
//! equal, and one that was read from its text form has no means.

use crate::program::Width;
use crate::value::{Value, float};
use std::sync::Arc;

/// A function of a shared library.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NativeFunction {
    /// Its library and its name there: `libz.so.1:crc32`.
    pub name: String,
    /// What it takes.
    pub parameters: Vec<Scalar>,
    /// What it gives.
    pub result: Scalar,
}

/// How an argument or a result is passed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scalar {
    /// An integer of this width, and whether it is signed.
    Integer(Width, bool),
    /// A floating-point number of this width.
    Float(Width),
    /// The next byte of what a pointer points to; the `first` one stands for the pointer.
    Byte {
        /// Whether it is the first byte of its pointer.
        first: bool,
    },
}

/// Who can call functions of shared libraries.
pub trait CallsNative: Send + Sync {
    /// Calls a function. Each argument is extended to 64 bits, and so is the result. The error says in
    /// one sentence what happened instead.
    fn call(&self, function: &NativeFunction, arguments: &[u64]) -> Result<u64, String>;

    /// What was noticed about functions that have an answer, one sentence each.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The means to call native functions, if there are any.
#[derive(Clone, Default)]
pub struct Natives(Option<Arc<dyn CallsNative>>);

impl Natives {
    /// These means.
    pub fn new(means: Arc<dyn CallsNative>) -> Self {
        Natives(Some(means))
    }

    /// What was noticed about functions that have an answer, one sentence each.
    pub fn remarks(&self) -> Vec<String> {
        self.0.as_ref().map(|means| means.remarks()).unwrap_or_default()
    }

    /// The result for defined arguments.
    pub fn call(&self, function: &NativeFunction, arguments: &[Value]) -> Result<Value, String> {
        let Some(means) = &self.0 else {
            return Err(format!("`{}` is not linked", function.name));
        };
        let pairs = function.parameters.iter().zip(arguments);
        let numbers: Vec<u64> = pairs.map(|(scalar, value)| scalar.extended(value)).collect();
        let result = means.call(function, &numbers)?;
        Ok(Value::int(function.result.width(), u128::from(result)))
    }
}

impl PartialEq for Natives {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Natives {}

impl std::fmt::Debug for Natives {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "Natives(..)" } else { "Natives" })
    }
}

impl Scalar {
    /// Its width.
    pub fn width(self) -> Width {
        match self {
            Scalar::Integer(width, _) | Scalar::Float(width) => width,
            Scalar::Byte { .. } => Width::I8,
        }
    }

    /// A word for it: `i32`, `u64`, `f64`; `p` for a pointer and its first byte, `b` for the next.
    pub fn word(self) -> String {
        match self {
            Scalar::Byte { first: true } => "p".to_string(),
            Scalar::Byte { first: false } => "b".to_string(),
            Scalar::Integer(width, true) => format!("i{}", width.bits()),
            Scalar::Integer(width, false) => format!("u{}", width.bits()),
            Scalar::Float(width) => format!("f{}", width.bits()),
        }
    }

    /// What a word stands for.
    pub fn of_word(word: &str) -> Option<Self> {
        let width = |bits: &str| {
            let width = bits.parse().ok().and_then(Width::from_bits)?;
            (width <= Width::I64).then_some(width)
        };
        match word {
            "p" => return Some(Scalar::Byte { first: true }),
            "b" => return Some(Scalar::Byte { first: false }),
            _ => {}
        }
        if let Some(bits) = word.strip_prefix('i') {
            return Some(Scalar::Integer(width(bits)?, true));
        }
        if let Some(bits) = word.strip_prefix('u') {
            return Some(Scalar::Integer(width(bits)?, false));
        }
        let width = width(word.strip_prefix('f')?)?;
        matches!(width, Width::I32 | Width::I64).then_some(Scalar::Float(width))
    }

    /// A value as a person writes it.
    pub fn shown(self, value: &Value) -> String {
        match self {
            Scalar::Integer(_, true) => value.as_signed().to_string(),
            Scalar::Integer(_, false) | Scalar::Byte { .. } => value.low().to_string(),
            Scalar::Float(_) => float::text(value),
        }
    }

    /// A value as the bits of a register.
    fn extended(self, value: &Value) -> u64 {
        match self {
            Scalar::Integer(_, true) => value.as_signed() as u64,
            Scalar::Integer(_, false) | Scalar::Float(_) | Scalar::Byte { .. } => value.low(),
        }
    }
}

impl NativeFunction {
    /// What it takes and gives: `u64(u64,u32)`.
    pub fn signature(&self) -> String {
        let parameters: Vec<String> = self.parameters.iter().map(|it| it.word()).collect();
        format!("{}({})", self.result.word(), parameters.join(","))
    }

    /// A function by its name and signature.
    pub fn of_signature(name: String, signature: &str) -> Option<Self> {
        let (result, parameters) = signature.strip_suffix(')')?.split_once('(')?;
        let words = parameters.split(',').filter(|word| !word.is_empty());
        let parameters = words.map(Scalar::of_word).collect::<Option<Vec<Scalar>>>()?;
        let is_byte = |scalar: &Scalar| matches!(scalar, Scalar::Byte { .. });
        let result = Scalar::of_word(result).filter(|result| !is_byte(result))?;
        // A byte follows its pointer, or the byte before it.
        let mut before = parameters.iter().map(is_byte);
        let starts = std::iter::once(false).chain(before.by_ref());
        let follows = |(scalar, after): (&Scalar, bool)| {
            after || !matches!(scalar, Scalar::Byte { first: false })
        };
        parameters.iter().zip(starts).all(follows).then_some(())?;
        Some(NativeFunction { name, parameters, result })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Adds;

    impl CallsNative for Adds {
        fn call(&self, _: &NativeFunction, arguments: &[u64]) -> Result<u64, String> {
            Ok(arguments.iter().fold(0, |sum, number| sum.wrapping_add(*number)))
        }
    }

    #[test]
    fn a_signature_is_read_as_it_is_written() {
        for signature in ["u64(u64,u32)", "f64(f64)", "i32()", "f32(i8,f64)", "u64(p,b,b,u32,p)"] {
            let function = NativeFunction::of_signature("lib:f".into(), signature);
            assert_eq!(function.map(|it| it.signature()).as_deref(), Some(signature));
        }
        for wrong in ["u64", "u64(", "p(u8)", "u128()", "f16()", "u8(b)", "u8(u8,b)"] {
            assert_eq!(NativeFunction::of_signature("lib:f".into(), wrong), None, "{wrong}");
        }
    }

    #[test]
    fn arguments_are_extended_as_their_types_say() {
        let function = NativeFunction::of_signature("lib:add".into(), "i64(i32,u32)");
        let function = function.expect("a signature");
        let arguments = [Value::signed(Width::I32, -1), Value::int(Width::I32, 1)];
        let natives = Natives::new(Arc::new(Adds));
        assert_eq!(natives.call(&function, &arguments), Ok(Value::int(Width::I64, 0)));
        let error = Natives::default().call(&function, &arguments);
        assert_eq!(error, Err("`lib:add` is not linked".to_string()));
    }
}
