//! `memset`, `memcpy` and their kin on objects whose type can be seen.
//!
//! The functions of `<string.h>` see bytes only. Where the call is written, the types of the
//! pointers are known, and the bytes are accessed as the members and elements that they are, in
//! the widths in which the rest of the program accesses them.

use crate::ast::{self, RecordKind};
use crate::sema::constants::Constant;
use crate::sema::tree::{Bulk, Callee, Expr, ExprKind, FunctionId, Intrinsic};
use crate::sema::types::{QualType, Type};
use crate::sema::{Checked, Sema, fail};
use execution::span::Span;

/// A type with more parts than this is not looked into.
const MOST_PARTS: usize = 1024;

/// Objects of more bytes than this are left to the functions.
const MOST_BYTES: u64 = 1 << 20;

/// Objects of more parts than this are moved by a loop.
const MOVED: usize = 16;

/// What a function does, and which of its arguments are which.
struct Known {
    does: Does,
    to: usize,
    other: Option<usize>,
    count: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Does {
    Fill,
    Copy,
    Move,
    Compare,
}

fn known(name: &str, args: usize) -> Option<Known> {
    let (does, to, other, count) = match (name, args) {
        ("memset", 3) => (Does::Fill, 0, Some(1), 2),
        ("bzero", 2) => (Does::Fill, 0, None, 1),
        ("memcpy", 3) => (Does::Copy, 0, Some(1), 2),
        ("memmove", 3) => (Does::Move, 0, Some(1), 2),
        ("bcopy", 3) => (Does::Move, 1, Some(0), 2),
        ("memcmp" | "bcmp", 3) => (Does::Compare, 0, Some(1), 2),
        _ => return None,
    };
    Some(Known { does, to, other, count })
}

impl Sema<'_> {
    /// A call of one of these functions; `None` if it is another one.
    pub(crate) fn bulk_call(
        &mut self,
        id: FunctionId,
        name: &str,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Option<Expr>> {
        let Some(known) = known(name, args.len()) else { return Ok(None) };
        let ty = self.unit.functions[id].ty.clone();
        if ty.params.len() != args.len() {
            return Ok(None);
        }
        let mut values = Vec::new();
        for arg in args {
            let value = self.value(arg)?;
            if value.ty.ty == Type::Void {
                return fail(arg.span, "this argument has no value");
            }
            values.push(value);
        }
        let other = known.other.filter(|_| known.does != Does::Fill);
        let seen = |sema: &Self, index: usize| sema.declared_pointee(&values[index]);
        let (to, from) = (seen(self, known.to), other.and_then(|index| seen(self, index)));
        // The name of a variable-length array is a pointer, which says nothing of its elements.
        let is_variable = matches!(args[known.count].kind, ast::ExprKind::SizeofExpr(_))
            && self.constant(&values[known.count]).is_none();
        let named = self.allocated_type(&args[known.count]).filter(|_| !is_variable);
        let named = named.map(QualType::from);
        let mut converted = Vec::new();
        for (index, (value, param)) in values.into_iter().zip(&ty.params).enumerate() {
            let what = format!("argument {} of `{name}`", index + 1);
            converted.push(self.assign_to(value, param, &what)?);
        }
        let count = self.constant(&converted[known.count]);
        let bytes = match count {
            Some(Constant::Int(bits)) => u64::try_from(bits).ok(),
            _ => None,
        };
        let object = self.object_type(to, from, named, bytes);
        let call = |id, args| {
            let kind = ExprKind::Call { callee: Callee::Direct(id), args };
            Some(Expr { kind, ty: ty.result.clone(), span })
        };
        let Some(object) = object else { return Ok(call(id, converted)) };
        if let Some(bytes) = bytes
            && self.is_accessed_in_parts(known.does, &object, bytes)
        {
            let mut take = |index: usize| {
                std::mem::replace(&mut converted[index], Expr::constant(0, Type::INT, span))
            };
            let to = take(known.to);
            let zero = Expr::constant(0, Type::INT, span);
            let other = known.other.map_or(zero, take);
            let what = match known.does {
                Does::Fill => Bulk::Fill(other),
                Does::Copy => Bulk::Copy(other),
                Does::Move => Bulk::Move(other),
                Does::Compare => Bulk::Compare(other),
            };
            let kind = ExprKind::Intrinsic(Box::new(Intrinsic::Bulk { what, to, object, bytes }));
            return Ok(Some(Expr { kind, ty: ty.result.clone(), span }));
        }
        let by_width = self.granularity(&object).and_then(|width| {
            let stem = match known.does {
                Does::Fill => "memset",
                Does::Copy => "memcpy",
                Does::Move => "memmove",
                Does::Compare => "memcmp",
            };
            self.find_function(&format!("__fp_{stem}_by_{width}"))
        });
        let Some(by_width) = by_width else { return Ok(call(id, converted)) };
        let zero = Expr::constant(0, Type::INT, span);
        if known.other.is_none() {
            converted.insert(1, zero);
        } else if known.to == 1 {
            converted.swap(0, 1);
        }
        let result = self.unit.functions[by_width].ty.result.clone();
        let kind = ExprKind::Call { callee: Callee::Direct(by_width), args: converted };
        let done = Expr { kind, ty: result, span };
        Ok(Some(if ty.result.ty == Type::Void { self.convert(done, &Type::Void) } else { done }))
    }

    /// `realloc` of an array of numbers of one width; `None` if it is of something else.
    pub(crate) fn realloc_call(
        &mut self,
        id: FunctionId,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Option<Expr>> {
        let [block, size] = args else { return Ok(None) };
        let Some(by_width) = self.find_function("__fp_realloc_by") else { return Ok(None) };
        let ty = self.unit.functions[id].ty.clone();
        let [to, _] = &ty.params[..] else { return Ok(None) };
        let block = self.value(block)?;
        let width = self.declared_pointee(&block).and_then(|object| self.granularity(&object));
        let block = self.assign_to(block, to, "argument 1 of `realloc`")?;
        let size = self.size_argument(size)?;
        let mut args = vec![block, size];
        let callee = match width {
            Some(width) => {
                args.push(Expr::constant(width.into(), Type::INT, span));
                by_width
            }
            None => id,
        };
        let kind = ExprKind::Call { callee: Callee::Direct(callee), args };
        Ok(Some(Expr { kind, ty: ty.result.clone(), span }))
    }

    /// What a pointer is declared to point to, through conversions to pointers to bytes.
    fn declared_pointee(&self, pointer: &Expr) -> Option<QualType> {
        let to = pointer.ty.ty.pointee()?;
        let is_vague = to.ty == Type::Void || self.unit.types.size_of(&to.ty) == Some(1);
        match &pointer.kind {
            ExprKind::Convert { value, .. } if is_vague && value.ty.ty.is_pointer() => {
                self.declared_pointee(value).or_else(|| Some(to.clone()))
            }
            // `(char *)buffer + at` counts in bytes; it does not say that these are what is there.
            _ if is_vague && counts_in_bytes(pointer) => None,
            _ => Some(to.clone()),
        }
        .filter(|to| self.unit.types.size_of(&to.ty).is_some_and(|size| size > 0))
    }

    /// As what the objects are accessed; `None` if that is not known, or if the two sides differ.
    /// What is an array of bytes on one side is what it is on the other one.
    fn object_type(
        &self,
        to: Option<QualType>,
        from: Option<QualType>,
        named: Option<QualType>,
        bytes: Option<u64>,
    ) -> Option<QualType> {
        let is_bytes = |ty: &QualType| self.granularity(ty) == Some(1);
        let typed = |ty: &Option<QualType>| ty.clone().filter(|ty| !is_bytes(ty));
        match (typed(&to), typed(&from)) {
            (Some(to), Some(from)) => {
                let same = to.ty == from.ty
                    || match bytes {
                        Some(bytes) => {
                            let parts = self.scalars(&to, bytes);
                            parts.is_some() && parts == self.scalars(&from, bytes)
                        }
                        None => {
                            let width = self.granularity(&to);
                            width.is_some() && width == self.granularity(&from)
                        }
                    };
                same.then_some(to)
            }
            (Some(one), None) | (None, Some(one)) => Some(one),
            (None, None) => {
                let has_size =
                    |ty: &QualType| self.unit.types.size_of(&ty.ty).is_some_and(|size| size > 0);
                typed(&named).filter(has_size).or(to).or(from)
            }
        }
    }

    /// Whether this many bytes of an object, or of an array of them, are whole parts of it.
    fn is_accessed_in_parts(&self, does: Does, object: &QualType, bytes: u64) -> bool {
        let Some(size) = self.unit.types.size_of(&object.ty) else { return false };
        let parts = self.scalars(object, bytes);
        let padding =
            |parts: &[(u64, u64)]| bytes.saturating_sub(parts.iter().map(|part| part.1).sum());
        match does {
            // All is read before anything is written, so the two may overlap.
            Does::Move => parts.is_some_and(|parts| parts.len() <= MOVED && padding(&parts) <= 16),
            // Padding would have to be compared in its place.
            Does::Compare => parts.is_some_and(|parts| padding(&parts) == 0),
            Does::Fill | Does::Copy => {
                bytes <= MOST_BYTES && bytes.is_multiple_of(size) || bytes < size && parts.is_some()
            }
        }
    }

    /// The width of all the scalars in a type, if they have one and there is nothing between them.
    fn granularity(&self, ty: &QualType) -> Option<u64> {
        if let Type::Array(element, _) = &ty.ty {
            return self.granularity(element);
        }
        let size = self.unit.types.size_of(&ty.ty)?;
        let parts = self.scalars(ty, size)?;
        let width = parts.first()?.1;
        let filled = parts.len() as u64 * width == size;
        (filled && width <= 8 && parts.iter().all(|part| part.1 == width)).then_some(width)
    }

    /// Offsets and widths of the scalars in the first bytes of an array of such objects; `None` if
    /// there are too many, or one is not inside wholly.
    fn scalars(&self, ty: &QualType, bytes: u64) -> Option<Vec<(u64, u64)>> {
        let size = self.unit.types.size_of(&ty.ty).filter(|&size| size > 0)?;
        if bytes > MOST_BYTES {
            return None;
        }
        let mut parts = Parts { end: bytes, found: Vec::new() };
        for index in 0..bytes.div_ceil(size) {
            self.add_scalars(ty, index * size, &mut parts)?;
        }
        Some(parts.found)
    }

    fn add_scalars(&self, ty: &QualType, at: u64, parts: &mut Parts) -> Option<()> {
        if at >= parts.end || matches!(ty.ty, Type::Array(_, None)) {
            return Some(());
        }
        let size = self.unit.types.size_of(&ty.ty)?;
        match &ty.ty {
            Type::Array(element, Some(length)) => {
                let each = self.unit.types.size_of(&element.ty)?;
                let length = if each == 0 { 0 } else { *length };
                let inside = (0..length).map(|index| at + index * each);
                let end = parts.end;
                inside
                    .take_while(|&at| at < end)
                    .try_for_each(|at| self.add_scalars(element, at, parts))
            }
            Type::Record(id) if !ty.is_one_access(size) => {
                let record = &self.unit.types.records[*id];
                let body = record.body.as_ref()?;
                if record.kind == RecordKind::Union {
                    let width = body.align.clamp(1, 8);
                    let mut all = (0..size / width).map(|index| at + index * width);
                    return all.try_for_each(|at| parts.add(at, width));
                }
                let mut units = 0;
                for field in &body.fields {
                    match field.bits {
                        None => self.add_scalars(&field.ty, at + field.offset, parts)?,
                        Some(bits) if field.offset >= units => {
                            parts.add(at + field.offset, bits.unit)?;
                            units = field.offset + bits.unit;
                        }
                        Some(bits) if field.offset + bits.unit <= units => {}
                        // Units that overlap are not worth the trouble.
                        Some(_) => return None,
                    }
                }
                Some(())
            }
            _ => parts.add(at, size),
        }
    }
}

/// Whether a pointer to bytes was made from another one by a cast, to be moved.
fn counts_in_bytes(pointer: &Expr) -> bool {
    match &pointer.kind {
        ExprKind::PointerAdd { pointer, .. } => {
            counts_in_bytes(pointer)
                || matches!(pointer.kind, ExprKind::Convert { written: true, .. })
        }
        _ => false,
    }
}

/// Scalars, as far as they are before the end.
struct Parts {
    end: u64,
    found: Vec<(u64, u64)>,
}

impl Parts {
    fn add(&mut self, at: u64, width: u64) -> Option<()> {
        if at >= self.end {
            return Some(());
        }
        self.found.push((at, width));
        (at + width <= self.end && self.found.len() <= MOST_PARTS).then_some(())
    }
}
