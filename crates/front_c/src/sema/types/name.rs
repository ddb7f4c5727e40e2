//! Types as people write them, for messages.

use crate::ast::RecordKind;
use crate::sema::types::{QualType, Type, Types};

impl Types {
    /// The C spelling of a type: `struct node *`, `int (*)(void *)`.
    pub fn name(&self, ty: &QualType) -> String {
        self.declare(ty, String::new())
    }

    /// The C spelling of a type without qualifiers.
    pub fn name_of(&self, ty: &Type) -> String {
        self.name(&ty.clone().into())
    }

    fn declare(&self, ty: &QualType, inner: String) -> String {
        match &ty.ty {
            Type::Pointer(to) => {
                let quals = qualifier_words(ty);
                let star = if quals.is_empty() {
                    format!("*{inner}")
                } else if inner.is_empty() {
                    format!("*{quals}")
                } else {
                    format!("*{quals} {inner}")
                };
                match &to.ty {
                    Type::Array(..) | Type::Variable(..) | Type::Function(_) => {
                        self.declare(to, format!("({star})"))
                    }
                    _ => self.declare(to, star),
                }
            }
            Type::Array(element, length) => {
                let length = length.map_or(String::new(), |n| n.to_string());
                self.declare(element, format!("{inner}[{length}]"))
            }
            Type::Variable(element, _) => self.declare(element, format!("{inner}[*]")),
            Type::Function(function) => {
                let mut params: Vec<String> =
                    function.params.iter().map(|param| self.name(param)).collect();
                if function.variadic {
                    params.push("...".into());
                }
                if params.is_empty() && !function.unprototyped {
                    params.push("void".into());
                }
                self.declare(&function.result, format!("{inner}({})", params.join(", ")))
            }
            _ => {
                let quals = qualifier_words(ty);
                let base = self.base_name(&ty.ty);
                [quals, base, inner]
                    .into_iter()
                    .filter(|part| !part.is_empty())
                    .collect::<Vec<_>>()
                    .join(" ")
            }
        }
    }

    fn base_name(&self, ty: &Type) -> String {
        match ty {
            Type::Void => "void".into(),
            Type::Int(kind) => kind.name().into(),
            Type::Float(kind) => kind.name().into(),
            Type::Bits { width, signed } => {
                format!("{}long:{width}", if *signed { "" } else { "unsigned " })
            }
            Type::Enum(id) => match &self.enums[*id].tag {
                Some(tag) => format!("enum {tag}"),
                None => "enum <anonymous>".into(),
            },
            Type::Record(id) => {
                let record = &self.records[*id];
                let word = match record.kind {
                    RecordKind::Struct => "struct",
                    RecordKind::Union => "union",
                };
                match (&record.tag, &record.alias) {
                    (Some(tag), _) => format!("{word} {tag}"),
                    (None, Some(alias)) => alias.to_string(),
                    (None, None) => format!("{word} <anonymous>"),
                }
            }
            Type::Pointer(_) | Type::Array(..) | Type::Variable(..) | Type::Function(_) => {
                String::new()
            }
        }
    }
}

fn qualifier_words(ty: &QualType) -> String {
    let words = [
        (ty.quals.is_const, "const"),
        (ty.quals.is_volatile, "volatile"),
        (ty.quals.is_atomic, "_Atomic"),
        (ty.quals.is_restrict, "restrict"),
    ];
    words.iter().filter(|(on, _)| *on).map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
}
