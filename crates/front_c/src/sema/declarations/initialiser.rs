//! Initialisers: brace elision, designators, strings; flattened into parts at byte offsets.

use crate::ast::{self, Designator, InitList, Initializer, RecordKind};
use crate::sema::constants::Constant;
use crate::sema::constants::arith;
use crate::sema::expressions::literal::character_type;
use crate::sema::tree::{Expr, ExprKind, InitPart, LocalInit, StaticData, StaticInit};
use crate::sema::types::{BitField, QualType, RecordId, Type};
use crate::sema::{Checked, Sema, fail};
use execution::span::Span;
use std::collections::HashMap;
use std::rc::Rc;

/// The most parts that one initialiser may have.
const MAX_PARTS: usize = 1 << 20;

/// A subobject that is to be initialised.
#[derive(Clone)]
struct Target {
    ty: QualType,
    offset: u64,
    bits: Option<BitField>,
    path: Rc<str>,
}

/// The items of a braced list, and how far they are used.
struct Cursor<'a> {
    items: &'a [(Vec<Designator>, Initializer)],
    next: usize,
    /// The current item's expression, if it was already checked for its type.
    checked: Option<Expr>,
    /// Whether an item was found for which there is no room.
    has_excess: bool,
}

impl Cursor<'_> {
    /// Passes over the current item.
    fn advance(&mut self) {
        self.next += 1;
        self.checked = None;
    }

    /// Passes over a designated item that found nothing to initialise (an empty struct).
    fn skip_designated(&mut self, designators: &[Designator]) -> bool {
        if designators.is_empty() {
            return false;
        }
        self.advance();
        true
    }
}

/// The parts found so far.
#[derive(Default)]
struct Parts {
    parts: Vec<InitPart>,
    /// One past the last byte that any part covers.
    end: u64,
    /// Whether a part stands after one with a larger offset.
    went_back: bool,
    /// The number of elements of an outermost array of unknown length.
    length: u64,
    /// Which member of each union, by its place and type, was initialised last.
    members: HashMap<(u64, RecordId), usize>,
}

impl Parts {
    /// Adds a part; a later initialiser of the same place replaces the earlier one.
    fn push(&mut self, part: InitPart, size: u64) {
        let differs = |old: &InitPart| {
            old.offset != part.offset || old.ty.ty != part.ty.ty || old.bits != part.bits
        };
        let last = self.parts.last().map_or(0, |last| last.offset);
        if part.offset < last {
            self.went_back = true;
        }
        if self.went_back {
            self.parts.retain(differs);
        } else {
            let same = self.parts.iter().rev().take_while(|old| old.offset == part.offset);
            let mut tail = self.parts.split_off(self.parts.len() - same.count());
            tail.retain(differs);
            self.parts.append(&mut tail);
        }
        self.end = self.end.max(part.offset + size);
        self.parts.push(part);
    }

    fn clear(&mut self, offset: u64, size: u64) {
        if offset < self.end {
            self.parts.retain(|old| old.offset < offset || old.offset >= offset + size);
        }
    }
}

impl Sema<'_> {
    /// The initialiser of a local; gives its type too, with the length it implies.
    pub fn local_initializer(
        &mut self,
        ty: &QualType,
        init: &Initializer,
    ) -> Checked<(QualType, LocalInit)> {
        match init {
            Initializer::Expr(expr) if !self.is_string_for(ty, expr) => {
                if let Type::Array(..) = ty.ty {
                    return fail(
                        expr.span,
                        "an array is initialised by a list in braces or a string",
                    );
                }
                let value = self.value(expr)?;
                let target: QualType = ty.ty.clone().into();
                let value = self.assign_to(value, &target, "the variable")?;
                Ok((ty.clone(), LocalInit::Value(value)))
            }
            Initializer::List(list) if ty.ty.is_scalar() => {
                let mut parts = self.parts(ty, list)?;
                match parts.pop() {
                    Some(part) => Ok((ty.clone(), LocalInit::Value(part.value))),
                    None => {
                        let zero = Expr::constant(0, ty.ty.clone(), list.span);
                        Ok((ty.clone(), LocalInit::Value(zero)))
                    }
                }
            }
            _ => {
                let (ty, parts) = self.initializer_parts(ty, init)?;
                Ok((ty, LocalInit::Parts(parts)))
            }
        }
    }

    /// The parts of a compound literal in a function.
    pub fn literal_parts(
        &mut self,
        ty: &QualType,
        list: &InitList,
    ) -> Checked<(QualType, Vec<InitPart>)> {
        self.list_parts(ty, list)
    }

    /// The initialiser of an object with static storage.
    pub fn static_initializer(
        &mut self,
        ty: &QualType,
        init: &Initializer,
    ) -> Checked<(QualType, Vec<StaticInit>)> {
        let (ty, parts) = self.initializer_parts(ty, init)?;
        Ok((ty, self.static_parts(parts)?))
    }

    /// A braced list for an object with static storage.
    pub fn static_list(
        &mut self,
        ty: &QualType,
        list: &InitList,
    ) -> Checked<(QualType, Vec<StaticInit>)> {
        let (ty, parts) = self.list_parts(ty, list)?;
        Ok((ty, self.static_parts(parts)?))
    }

    fn initializer_parts(
        &mut self,
        ty: &QualType,
        init: &Initializer,
    ) -> Checked<(QualType, Vec<InitPart>)> {
        match init {
            Initializer::List(list) => self.list_parts(ty, list),
            Initializer::Expr(expr) => {
                let item = [(Vec::new(), init.clone())];
                let mut cursor = Cursor { items: &item, next: 0, checked: None, has_excess: false };
                let mut parts = Parts::default();
                let target = Target { ty: ty.clone(), offset: 0, bits: None, path: "".into() };
                if matches!(ty.ty, Type::Array(..)) && !self.is_string_for(ty, expr) {
                    return fail(
                        expr.span,
                        "an array is initialised by a list in braces or a string",
                    );
                }
                if let (Type::Record(_), None) = (&ty.ty, self.whole_record(ty, expr, &mut cursor)?)
                {
                    return fail(expr.span, "the value has another type than the struct");
                }
                self.fill(&target, &mut cursor, &mut parts)?;
                Ok((self.completed(ty, &parts), parts.parts))
            }
        }
    }

    fn list_parts(&mut self, ty: &QualType, list: &InitList) -> Checked<(QualType, Vec<InitPart>)> {
        let mut parts = Parts::default();
        let target = Target { ty: ty.clone(), offset: 0, bits: None, path: "".into() };
        self.fill_braced(&target, list, &mut parts)?;
        Ok((self.completed(ty, &parts), parts.parts))
    }

    fn parts(&mut self, ty: &QualType, list: &InitList) -> Checked<Vec<InitPart>> {
        Ok(self.list_parts(ty, list)?.1)
    }

    fn completed(&self, ty: &QualType, parts: &Parts) -> QualType {
        match &ty.ty {
            Type::Array(element, None) => {
                QualType { ty: Type::Array(element.clone(), Some(parts.length)), ..ty.clone() }
            }
            _ => ty.clone(),
        }
    }

    /// Whether an expression is a string literal that can initialise this array.
    fn is_string_for(&self, ty: &QualType, expr: &ast::Expr) -> bool {
        let Type::Array(element, _) = &ty.ty else { return false };
        let Some((bits, _)) = self.unit.types.integer(&element.ty) else { return false };
        match string_literal(expr) {
            Some(literal) => character_type(literal.encoding).bits() == bits,
            None => false,
        }
    }

    /// Initialises a subobject from the cursor's current item, and further ones where braces
    /// were left out.
    fn fill(&mut self, target: &Target, cursor: &mut Cursor<'_>, parts: &mut Parts) -> Checked<()> {
        let Some((_, init)) = cursor.items.get(cursor.next) else { return Ok(()) };
        let expr = match init {
            Initializer::List(list) => {
                cursor.advance();
                let size = self.unit.types.size_of(&target.ty.ty).unwrap_or(0);
                if target.bits.is_none() {
                    parts.clear(target.offset, size);
                }
                return self.fill_braced(target, list, parts);
            }
            Initializer::Expr(expr) => expr,
        };
        if self.is_string_for(&target.ty, expr) {
            cursor.advance();
            return self.fill_string(target, expr, parts);
        }
        match &target.ty.ty {
            Type::Array(..) => self.fill_array(target, cursor, false, &[], parts),
            Type::Record(id) => {
                let id = *id;
                match self.whole_record(&target.ty, expr, cursor)? {
                    Some(value) => {
                        cursor.advance();
                        self.push(target, value, parts)
                    }
                    None => self.fill_record(target, id, cursor, false, &[], parts),
                }
            }
            _ => {
                let value = match cursor.checked.take() {
                    Some(value) => value,
                    None => self.value(expr)?,
                };
                cursor.advance();
                self.fill_scalar(target, value, parts)
            }
        }
    }

    /// The value of an expression that initialises a whole struct; `None` if it has another type.
    fn whole_record(
        &mut self,
        ty: &QualType,
        expr: &ast::Expr,
        cursor: &mut Cursor<'_>,
    ) -> Checked<Option<Expr>> {
        let value = match cursor.checked.take() {
            Some(value) => value,
            None => self.value(expr)?,
        };
        if value.ty.ty == ty.ty {
            cursor.checked = Some(value.clone());
            return Ok(Some(value));
        }
        cursor.checked = Some(value);
        Ok(None)
    }

    fn fill_scalar(&mut self, target: &Target, value: Expr, parts: &mut Parts) -> Checked<()> {
        let ty: QualType = self.unit.types.member_value(&target.ty.ty, target.bits).into();
        if !ty.ty.is_scalar() {
            let name = self.unit.types.name(&ty);
            return fail(value.span, format!("this cannot initialise an object of type `{name}`"));
        }
        let value = self.assign_to(value, &ty, "the object")?;
        self.push(target, value, parts)
    }

    fn push(&mut self, target: &Target, value: Expr, parts: &mut Parts) -> Checked<()> {
        if parts.parts.len() >= MAX_PARTS {
            return fail(value.span, "this initialiser is too large");
        }
        let size = self.part_size(&target.ty, target.bits);
        let part = InitPart {
            offset: target.offset,
            bits: target.bits,
            ty: target.ty.clone(),
            value,
            path: target.path.clone(),
        };
        parts.push(part, size);
        Ok(())
    }

    fn part_size(&self, ty: &QualType, bits: Option<BitField>) -> u64 {
        let size = self.unit.types.size_of(&ty.ty).unwrap_or(0);
        bits.map_or(size, |bits| bits.unit)
    }

    fn fill_string(&mut self, target: &Target, expr: &ast::Expr, parts: &mut Parts) -> Checked<()> {
        let (Type::Array(element, length), Some(literal)) = (&target.ty.ty, string_literal(expr))
        else {
            return fail(expr.span, "this is not a string");
        };
        let own = literal.units.len() as u64;
        let length = length.unwrap_or(own + 1);
        if own > length {
            self.warn(expr.span, "the string is longer than the array");
        }
        if target.offset == 0 && target.path.is_empty() {
            parts.length = length;
        }
        let size = self.unit.types.size_of(&element.ty).unwrap_or(1);
        parts.clear(target.offset, length * size);
        let value = self.string(literal);
        let ty = QualType { ty: Type::Array(element.clone(), Some(length)), ..target.ty.clone() };
        self.push(&Target { ty, ..target.clone() }, value, parts)
    }

    fn fill_braced(&mut self, target: &Target, list: &InitList, parts: &mut Parts) -> Checked<()> {
        let mut cursor = Cursor { items: &list.items, next: 0, checked: None, has_excess: false };
        match &target.ty.ty {
            Type::Array(..) => {
                if let [(designators, Initializer::Expr(expr))] = list.items.as_slice()
                    && designators.is_empty()
                    && self.is_string_for(&target.ty, expr)
                {
                    return self.fill_string(target, expr, parts);
                }
                self.fill_array(target, &mut cursor, true, &[], parts)?;
            }
            Type::Record(id) => self.fill_record(target, *id, &mut cursor, true, &[], parts)?,
            _ => match list.items.first() {
                Some((designators, _)) if !designators.is_empty() => {
                    return fail(list.span, "a scalar has no members");
                }
                Some(_) => self.fill(target, &mut cursor, parts)?,
                None => {
                    let zero = Expr::constant(0, Type::INT, list.span);
                    self.fill_scalar(target, zero, parts)?;
                }
            },
        }
        self.skip_excess(&mut cursor);
        Ok(())
    }

    /// Passes over an item for which there is no room; later ones may name a place again.
    fn skip_excess(&mut self, cursor: &mut Cursor<'_>) {
        let Some((_, extra)) = cursor.items.get(cursor.next) else { return };
        let span = match extra {
            Initializer::Expr(expr) => expr.span,
            Initializer::List(list) => list.span,
        };
        if !cursor.has_excess {
            self.warn(span, "there are more values than members");
            cursor.has_excess = true;
        }
        cursor.advance();
    }

    fn fill_array(
        &mut self,
        target: &Target,
        cursor: &mut Cursor<'_>,
        braced: bool,
        pending: &[Designator],
        parts: &mut Parts,
    ) -> Checked<()> {
        let Type::Array(element, length) = &target.ty.ty else { return Ok(()) };
        let size = self.unit.types.size_of(&element.ty).unwrap_or(0);
        let outermost = target.offset == 0 && target.path.is_empty();
        let mut index = 0u64;
        let mut pending = pending;
        let items = cursor.items;
        while let Some((own, _)) = items.get(cursor.next) {
            let designators = if pending.is_empty() { own.as_slice() } else { pending };
            if pending.is_empty() && !own.is_empty() && !braced {
                break;
            }
            let mut last = index;
            let mut rest: &[Designator] = &[];
            match designators.split_first() {
                None => {}
                Some((Designator::Field(name), _)) => {
                    return fail(name.span, "an array has no members; write an index in brackets");
                }
                Some((Designator::Index(at), more)) => {
                    index = self.array_index(at, *length)?;
                    last = index;
                    rest = more;
                }
                Some((Designator::Range(low, high), more)) => {
                    index = self.array_index(low, *length)?;
                    last = self.array_index(high, *length)?;
                    rest = more;
                    if last < index {
                        return fail(high.span, "this range is empty");
                    }
                }
            }
            if length.is_some_and(|length| index >= length) {
                if braced {
                    self.skip_excess(cursor);
                    continue;
                }
                break;
            }
            pending = &[];
            let sub = Target {
                ty: (**element).clone(),
                offset: target.offset + index * size,
                bits: None,
                path: format!("{}[{index}]", target.path).into(),
            };
            let item = cursor.next;
            if last == index {
                self.fill_designated(&sub, cursor, rest, parts)?;
            } else {
                let mut pattern = Parts::default();
                self.fill_designated(&sub, cursor, rest, &mut pattern)?;
                self.repeat_parts(&pattern.parts, (index, last), size, &target.path, parts)?;
            }
            if cursor.next == item && !cursor.skip_designated(designators) {
                break;
            }
            index = last + 1;
            if outermost {
                parts.length = parts.length.max(index);
            }
        }
        Ok(())
    }

    /// Gives the parts of element `first` to all elements up to `last` (`[a ... b] = value`).
    fn repeat_parts(
        &mut self,
        pattern: &[InitPart],
        (first, last): (u64, u64),
        size: u64,
        path: &str,
        parts: &mut Parts,
    ) -> Checked<()> {
        for part in pattern {
            if self.constant(&part.value).is_none()
                && !matches!(part.value.kind, ExprKind::Object(_))
            {
                return fail(part.value.span, "the value of a range of elements must be constant");
            }
        }
        let prefix = format!("{path}[{first}]");
        for index in first..=last {
            for part in pattern {
                if parts.parts.len() >= MAX_PARTS {
                    return fail(part.value.span, "this initialiser is too large");
                }
                let tail = part.path.strip_prefix(prefix.as_str()).unwrap_or("");
                let part = InitPart {
                    offset: part.offset + (index - first) * size,
                    path: format!("{path}[{index}]{tail}").into(),
                    ..part.clone()
                };
                let size = self.part_size(&part.ty, part.bits);
                parts.push(part, size);
            }
        }
        Ok(())
    }

    fn array_index(&mut self, expr: &ast::Expr, length: Option<u64>) -> Checked<u64> {
        let number = self.integer_number(expr, "an index of an initialiser")?;
        match u64::try_from(number) {
            Ok(index) if length.is_none_or(|length| index < length) && index < 1 << 32 => Ok(index),
            _ => fail(expr.span, "this index is outside the array"),
        }
    }

    /// Goes on with the remaining designators of an item, or initialises the subobject with it.
    fn fill_designated(
        &mut self,
        target: &Target,
        cursor: &mut Cursor<'_>,
        rest: &[Designator],
        parts: &mut Parts,
    ) -> Checked<()> {
        if rest.is_empty() {
            return self.fill(target, cursor, parts);
        }
        match &target.ty.ty {
            Type::Array(..) => self.fill_array(target, cursor, false, rest, parts),
            Type::Record(id) => self.fill_record(target, *id, cursor, false, rest, parts),
            _ => match &rest[0] {
                Designator::Field(name) => fail(name.span, "this member is not a struct"),
                Designator::Index(expr) | Designator::Range(expr, _) => {
                    fail(expr.span, "this member is not an array")
                }
            },
        }
    }

    fn fill_record(
        &mut self,
        target: &Target,
        id: RecordId,
        cursor: &mut Cursor<'_>,
        braced: bool,
        pending: &[Designator],
        parts: &mut Parts,
    ) -> Checked<()> {
        let record = &self.unit.types.records[id];
        let Some(body) = &record.body else {
            let name = self.unit.types.name(&target.ty);
            return fail(record.span, format!("`{name}` is an incomplete type"));
        };
        let fields = body.fields.clone();
        let (is_union, size) = (record.kind == RecordKind::Union, body.size);
        let mut index = 0;
        let mut pending = pending;
        let items = cursor.items;
        while let Some((own, _)) = items.get(cursor.next) {
            let designators = if pending.is_empty() { own.as_slice() } else { pending };
            if pending.is_empty() && !own.is_empty() && !braced {
                break;
            }
            let mut rest: &[Designator] = &[];
            match designators.split_first() {
                None => {}
                Some((Designator::Field(name), more)) => {
                    let Some(found) = self.field_index(&fields, &name.name) else {
                        let ty = self.unit.types.name_of(&target.ty.ty);
                        return fail(name.span, format!("`{ty}` has no member `{}`", name.name));
                    };
                    index = found;
                    // A member of an anonymous struct: the designator stays for the inner one.
                    rest = if fields[index].name.is_some() { more } else { designators };
                }
                Some((Designator::Index(expr) | Designator::Range(expr, _), _)) => {
                    return fail(expr.span, "a struct has no elements; write `.member`");
                }
            }
            let Some(field) = fields.get(index) else {
                if braced {
                    self.skip_excess(cursor);
                    continue;
                }
                break;
            };
            pending = &[];
            // Another member of a union drops the former one; a further part of the same member
            // does not.
            let former = is_union.then(|| parts.members.insert((target.offset, id), index));
            if former.flatten().is_some_and(|former| former != index) {
                parts.clear(target.offset, size);
            }
            let path = match &field.name {
                Some(name) => format!("{}.{name}", target.path).into(),
                None => target.path.clone(),
            };
            let sub = Target {
                ty: field.ty.clone(),
                offset: target.offset + field.offset,
                bits: field.bits,
                path,
            };
            let item = cursor.next;
            self.fill_designated(&sub, cursor, rest, parts)?;
            if cursor.next == item {
                cursor.skip_designated(designators);
            }
            index = if is_union { fields.len() } else { index + 1 };
        }
        Ok(())
    }

    fn field_index(&self, fields: &[crate::sema::types::Field], name: &str) -> Option<usize> {
        fields.iter().position(|field| match (&field.name, &field.ty.ty) {
            (Some(found), _) => &**found == name,
            (None, Type::Record(inner)) => self.unit.types.field(*inner, name).is_some(),
            _ => false,
        })
    }

    fn static_parts(&mut self, parts: Vec<InitPart>) -> Checked<Vec<StaticInit>> {
        let mut inits = Vec::new();
        for part in parts {
            self.static_part(&part, &mut inits)?;
        }
        Ok(inits)
    }

    fn static_part(&mut self, part: &InitPart, inits: &mut Vec<StaticInit>) -> Checked<()> {
        let offset = part.offset;
        let span = part.value.span;
        if let (Type::Array(element, Some(length)), ExprKind::Object(id)) =
            (&part.ty.ty, &part.value.kind)
        {
            let size = self.unit.types.size_of(&element.ty).unwrap_or(1);
            let data = self.string_contents(*id, size * length);
            inits.push(StaticInit { offset, data: StaticData::Bytes(data) });
            return Ok(());
        }
        if part.ty.ty.is_record() {
            return self.static_record(part, inits);
        }
        let Some(constant) = self.constant(&part.value) else { return not_constant(span) };
        let data = match constant {
            Constant::Object(id, by) => StaticData::Object(id, by),
            Constant::Function(id) => StaticData::Function(id),
            Constant::Int(value) => match part.bits {
                Some(bits) => StaticData::Bits {
                    unit: bits.unit,
                    mask: arith::mask(bits.width) << bits.shift,
                    bits: (value & arith::mask(bits.width)) << bits.shift,
                },
                None => {
                    let size = self.unit.types.size_of(&part.ty.ty).unwrap_or(0) as usize;
                    StaticData::Bytes(value.to_le_bytes()[..size.min(16)].to_vec())
                }
            },
        };
        inits.push(StaticInit { offset, data });
        Ok(())
    }

    /// The bytes of a string literal that fit into an array of this size; the rest is zero anyway.
    fn string_contents(&self, id: crate::sema::tree::ObjectId, size: u64) -> Vec<u8> {
        let mut bytes = match self.unit.objects[id].init.as_deref() {
            Some([StaticInit { data: StaticData::Bytes(bytes), .. }]) => bytes.clone(),
            _ => Vec::new(),
        };
        bytes.truncate(size as usize);
        bytes
    }

    /// A whole struct as a static value: only a constant compound literal is one.
    fn static_record(&mut self, part: &InitPart, inits: &mut Vec<StaticInit>) -> Checked<()> {
        let span = part.value.span;
        let ExprKind::Load(place) = &part.value.kind else { return not_constant(span) };
        match &place.kind {
            ExprKind::Literal(_, inner) => {
                for piece in inner.iter() {
                    let piece = InitPart { offset: piece.offset + part.offset, ..piece.clone() };
                    self.static_part(&piece, inits)?;
                }
                Ok(())
            }
            ExprKind::Object(id) if self.unit.objects[*id].name.is_empty() => {
                let inner = self.unit.objects[*id].init.clone().unwrap_or_default();
                inits.extend(
                    inner
                        .into_iter()
                        .map(|init| StaticInit { offset: init.offset + part.offset, ..init }),
                );
                Ok(())
            }
            _ => not_constant(span),
        }
    }
}

fn not_constant<T>(span: Span) -> Checked<T> {
    fail(span, "the initial value of a static object must be a constant")
}

/// The string literal that an expression is, also in parentheses.
fn string_literal(expr: &ast::Expr) -> Option<&ast::StringLiteral> {
    match &expr.kind {
        ast::ExprKind::String(literal) => Some(literal),
        ast::ExprKind::Extension(inner) => string_literal(inner),
        _ => None,
    }
}
