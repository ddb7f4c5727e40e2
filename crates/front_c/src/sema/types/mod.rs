//! The types of C as the checker sees them, and the tables of structs, unions and enums.

pub mod layout;
pub mod name;

use crate::ast::{Qualifiers, RecordKind};
use crate::sema::tree::LocalId;
use execution::id;
use execution::ids::IdVec;
use execution::span::Span;
use ir::locks::Purpose;
use ir::program::Width;
use std::rc::Rc;

id! {
    /// A struct or union.
    pub struct RecordId("record");
}

id! {
    /// An enumeration.
    pub struct EnumId("enum");
}

/// The integer types, in the order of their conversion ranks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum IntKind {
    /// `_Bool`
    Bool,
    /// `char`, which is signed
    Char,
    /// `signed char`
    SChar,
    /// `unsigned char`
    UChar,
    /// `short`
    Short,
    /// `unsigned short`
    UShort,
    /// `int`
    Int,
    /// `unsigned int`
    UInt,
    /// `long`
    Long,
    /// `unsigned long`
    ULong,
    /// `long long`
    LongLong,
    /// `unsigned long long`
    ULongLong,
    /// `__int128`
    Int128,
    /// `unsigned __int128`
    UInt128,
}

impl IntKind {
    /// The number of bits in memory.
    pub fn bits(self) -> u32 {
        use IntKind::*;
        match self {
            Bool | Char | SChar | UChar => 8,
            Short | UShort => 16,
            Int | UInt => 32,
            Long | ULong | LongLong | ULongLong => 64,
            Int128 | UInt128 => 128,
        }
    }

    /// Whether it holds negative numbers.
    pub fn is_signed(self) -> bool {
        use IntKind::*;
        matches!(self, Char | SChar | Short | Int | Long | LongLong | Int128)
    }

    /// The unsigned type of the same rank.
    pub fn to_unsigned(self) -> IntKind {
        use IntKind::*;
        match self {
            Char | SChar => UChar,
            Short => UShort,
            Int => UInt,
            Long => ULong,
            LongLong => ULongLong,
            Int128 => UInt128,
            other => other,
        }
    }

    /// How C spells it.
    pub fn name(self) -> &'static str {
        use IntKind::*;
        match self {
            Bool => "_Bool",
            Char => "char",
            SChar => "signed char",
            UChar => "unsigned char",
            Short => "short",
            UShort => "unsigned short",
            Int => "int",
            UInt => "unsigned int",
            Long => "long",
            ULong => "unsigned long",
            LongLong => "long long",
            ULongLong => "unsigned long long",
            Int128 => "__int128",
            UInt128 => "unsigned __int128",
        }
    }
}

/// The floating-point types that can be computed with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum FloatKind {
    /// `float`
    Float,
    /// `double`
    Double,
}

impl FloatKind {
    /// Its format.
    pub fn width(self) -> Width {
        match self {
            FloatKind::Float => Width::I32,
            FloatKind::Double => Width::I64,
        }
    }

    /// How C spells it.
    pub fn name(self) -> &'static str {
        match self {
            FloatKind::Float => "float",
            FloatKind::Double => "double",
        }
    }
}

/// A type without its qualifiers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Type {
    /// `void`
    Void,
    /// An integer type.
    Int(IntKind),
    /// A floating-point type.
    Float(FloatKind),
    /// The type that gcc gives to the value of a bit-field that is wider than `int` and narrower
    /// than its declared type: arithmetic on it wraps at that width.
    Bits {
        /// The width, 33 to 127.
        width: u32,
        /// Whether it holds negative numbers.
        signed: bool,
    },
    /// An enumeration.
    Enum(EnumId),
    /// A pointer.
    Pointer(Rc<QualType>),
    /// An array; of unknown length where there is none.
    Array(Rc<QualType>, Option<u64>),
    /// An array whose size in bytes is in a local of the running function.
    Variable(Rc<QualType>, LocalId),
    /// A function.
    Function(Rc<FunctionType>),
    /// A struct or union.
    Record(RecordId),
}

impl Type {
    /// `int`
    pub const INT: Type = Type::Int(IntKind::Int);
    /// `unsigned int`
    pub const UINT: Type = Type::Int(IntKind::UInt);
    /// `_Bool`
    pub const BOOL: Type = Type::Int(IntKind::Bool);
    /// `char`
    pub const CHAR: Type = Type::Int(IntKind::Char);
    /// `size_t`
    pub const SIZE: Type = Type::Int(IntKind::ULong);
    /// `ptrdiff_t`
    pub const PTRDIFF: Type = Type::Int(IntKind::Long);
    /// `double`
    pub const DOUBLE: Type = Type::Float(FloatKind::Double);

    /// A pointer to `to`.
    pub fn pointer(to: QualType) -> Type {
        Type::Pointer(Rc::new(to))
    }

    /// `void *`
    pub fn void_pointer() -> Type {
        Type::pointer(Type::Void.into())
    }

    /// Whether it is an integer type, enumerations included.
    pub fn is_integer(&self) -> bool {
        matches!(self, Type::Int(_) | Type::Enum(_) | Type::Bits { .. })
    }

    /// Whether it is a pointer type.
    pub fn is_pointer(&self) -> bool {
        matches!(self, Type::Pointer(_))
    }

    /// Whether it is a floating-point type that can be computed with.
    pub fn is_float(&self) -> bool {
        matches!(self, Type::Float(_))
    }

    /// Whether it is an integer or floating-point type.
    pub fn is_arithmetic(&self) -> bool {
        self.is_integer() || self.is_float()
    }

    /// Whether it is an integer, floating-point or pointer type.
    pub fn is_scalar(&self) -> bool {
        self.is_arithmetic() || self.is_pointer()
    }

    /// Whether it is a struct or union.
    pub fn is_record(&self) -> bool {
        matches!(self, Type::Record(_))
    }

    /// What it points to.
    pub fn pointee(&self) -> Option<&QualType> {
        match self {
            Type::Pointer(to) => Some(to),
            _ => None,
        }
    }
}

/// A type with its qualifiers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QualType {
    /// The type.
    pub ty: Type,
    /// `const`, `volatile`, `_Atomic`, `restrict`.
    pub quals: Qualifiers,
    /// A stricter or looser alignment from a typedef's `aligned` attribute.
    pub align: Option<u64>,
}

impl From<Type> for QualType {
    fn from(ty: Type) -> Self {
        Self { ty, quals: Qualifiers::default(), align: None }
    }
}

impl QualType {
    /// Whether an object of this many bytes is accessed as a whole, whatever is in it.
    pub fn is_one_access(&self, size: u64) -> bool {
        self.quals.is_atomic && matches!(size, 1 | 2 | 4 | 8 | 16)
    }

    /// The same type with further qualifiers.
    pub fn with(mut self, more: Qualifiers) -> QualType {
        let array = match &self.ty {
            // Qualifiers of an array are those of its elements.
            Type::Array(element, length) => {
                Some(Type::Array(Rc::new((**element).clone().with(more)), *length))
            }
            Type::Variable(element, size) => {
                Some(Type::Variable(Rc::new((**element).clone().with(more)), *size))
            }
            _ => None,
        };
        match array {
            Some(ty) => self.ty = ty,
            None => self.quals = union(self.quals, more),
        }
        self
    }

    /// `const` of the type or of an array's elements.
    pub fn is_const(&self) -> bool {
        match &self.ty {
            Type::Array(element, _) | Type::Variable(element, _) => element.is_const(),
            _ => self.quals.is_const,
        }
    }
}

/// All qualifiers of both.
pub fn union(a: Qualifiers, b: Qualifiers) -> Qualifiers {
    Qualifiers {
        is_const: a.is_const | b.is_const,
        is_volatile: a.is_volatile | b.is_volatile,
        is_atomic: a.is_atomic | b.is_atomic,
        is_restrict: a.is_restrict | b.is_restrict,
    }
}

/// The type of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionType {
    /// The result.
    pub result: QualType,
    /// The parameters, adjusted (arrays and functions are pointers).
    pub params: Vec<QualType>,
    /// `...`
    pub variadic: bool,
    /// `()`: nothing is known about the parameters.
    pub unprototyped: bool,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// Which.
    pub kind: RecordKind,
    /// The tag.
    pub tag: Option<Rc<str>>,
    /// The first typedef name given to it, for messages about untagged ones.
    pub alias: Option<Rc<str>>,
    /// `transparent_union`: a parameter of it takes what any member does.
    pub transparent: bool,
    /// Its members and layout, once it is complete.
    pub body: Option<RecordBody>,
    /// Where it was first named.
    pub span: Span,
}

/// The members and layout of a complete struct or union.
#[derive(Clone, Debug)]
pub struct RecordBody {
    /// The members, in source order; unnamed bit-fields are left out.
    pub fields: Vec<Field>,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
}

/// A member.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name; none for an anonymous struct or union.
    pub name: Option<Rc<str>>,
    /// Its declared type.
    pub ty: QualType,
    /// Offset in bytes; for a bit-field, of its storage unit.
    pub offset: u64,
    /// For a bit-field: where its bits are.
    pub bits: Option<BitField>,
    /// What it is for.
    pub purpose: Purpose,
    /// Where it is declared.
    pub span: Span,
}

/// Where the bits of a bit-field are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitField {
    /// The size in bytes of the storage unit that is loaded and stored.
    pub unit: u64,
    /// The first bit in the unit.
    pub shift: u32,
    /// The number of bits.
    pub width: u32,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enum {
    /// The tag.
    pub tag: Option<Rc<str>>,
    /// The integer type it is the same as, once it is complete.
    pub underlying: Option<IntKind>,
    /// Whether that type was written, so that it was complete before its constants were known.
    pub fixed: bool,
    /// Whether its constants are known.
    pub defined: bool,
    /// What its values are for.
    pub purpose: Purpose,
    /// Where it was first named.
    pub span: Span,
}

/// All structs, unions and enums of a translation unit.
#[derive(Clone, Debug, Default)]
pub struct Types {
    /// Structs and unions.
    pub records: IdVec<RecordId, Record>,
    /// Enumerations.
    pub enums: IdVec<EnumId, Enum>,
}

/// A member found by name: where it is in the outer struct.
#[derive(Clone, Debug)]
pub struct FoundField {
    /// Its type, with the qualifiers of anonymous structs around it.
    pub ty: QualType,
    /// Offset from the start of the outer struct.
    pub offset: u64,
    /// For a bit-field.
    pub bits: Option<BitField>,
    /// What it is for.
    pub purpose: Purpose,
}

impl Types {
    /// Whether two structs or unions have the same name and the same members at the same places, as
    /// those that two files declare by one header.
    pub fn are_alike(&self, a: RecordId, b: RecordId) -> bool {
        let (a, b) = (&self.records[a], &self.records[b]);
        if a.kind != b.kind || a.tag != b.tag || a.tag.is_none() && a.alias != b.alias {
            return false;
        }
        match (&a.body, &b.body) {
            (Some(a), Some(b)) => {
                let fields = || a.fields.iter().zip(&b.fields);
                a.size == b.size
                    && a.fields.len() == b.fields.len()
                    && fields().all(|(a, b)| a.name == b.name && a.offset == b.offset)
            }
            _ => true,
        }
    }

    /// Finds a member, also inside anonymous members.
    pub fn field(&self, record: RecordId, name: &str) -> Option<FoundField> {
        for field in &self.records[record].body.as_ref()?.fields {
            match (&field.name, &field.ty.ty) {
                (Some(found), _) if &**found == name => {
                    return Some(FoundField {
                        ty: field.ty.clone(),
                        offset: field.offset,
                        bits: field.bits,
                        purpose: field.purpose,
                    });
                }
                (None, Type::Record(inner)) => {
                    if let Some(mut found) = self.field(*inner, name) {
                        found.offset += field.offset;
                        found.ty = found.ty.with(field.ty.quals);
                        return Some(found);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The number of value bits and the sign of an integer type.
    pub fn integer(&self, ty: &Type) -> Option<(u32, bool)> {
        match ty {
            Type::Int(kind) => Some((kind.bits(), kind.is_signed())),
            Type::Bits { width, signed } => Some((*width, *signed)),
            Type::Enum(id) => {
                let kind = self.enums[*id].underlying.unwrap_or(IntKind::UInt);
                Some((kind.bits(), kind.is_signed()))
            }
            _ => None,
        }
    }

    /// The type of a member's value: for a bit-field narrower than its declared type, of its own
    /// width.
    pub fn member_value(&self, declared: &Type, bits: Option<BitField>) -> Type {
        match (bits, self.integer(declared)) {
            (Some(bits), Some((width, signed)))
                if bits.width < width && *declared != Type::BOOL =>
            {
                Type::Bits { width: bits.width, signed }
            }
            _ => declared.clone(),
        }
    }

    /// The integer type an enumeration is the same as; other types are unchanged.
    pub fn without_enum(&self, ty: &Type) -> Type {
        match ty {
            Type::Enum(id) => Type::Int(self.enums[*id].underlying.unwrap_or(IntKind::UInt)),
            other => other.clone(),
        }
    }
}
