//! Layouts of C types, so that addresses can be printed as names.

use super::unit::Lowering;
use crate::sema::types::{RecordId, Type};
use ir::layout::{Field, Layout, LayoutId, LayoutKind};

impl Lowering<'_> {
    /// The layout of a type.
    pub fn layout(&mut self, ty: &Type) -> LayoutId {
        let types = &self.unit.types;
        let (size, align) = (types.size_of(ty).unwrap_or(0), types.align_of(&ty.clone().into()));
        let kind = match ty {
            Type::Record(id) => return self.record_layout(*id),
            Type::Pointer(to) => {
                let known = match &to.ty {
                    Type::Void | Type::Function(_) => false,
                    other => types.size_of(other).is_some(),
                };
                LayoutKind::Pointer(known.then(|| self.layout(&to.ty)))
            }
            Type::Array(element, length) => {
                let element = self.layout(&element.ty);
                LayoutKind::Array { element, count: length.unwrap_or(0) }
            }
            Type::Void | Type::Function(_) => LayoutKind::Opaque,
            Type::Float(_) => LayoutKind::Float,
            other => {
                LayoutKind::Int { signed: types.integer(other).is_some_and(|(_, signed)| signed) }
            }
        };
        self.builder.layout(Layout { size, align, kind })
    }

    fn record_layout(&mut self, id: RecordId) -> LayoutId {
        if let Some(known) = self.records.get(&id) {
            return *known;
        }
        let layout = self.builder.reserve_layout();
        self.records.insert(id, layout);
        let Some(body) = &self.unit.types.records[id].body else { return layout };
        let mut fields = Vec::new();
        for field in &body.fields {
            // A bit-field's layout is that of the unit it is stored in.
            let inner = match field.bits {
                Some(bits) => {
                    let signed =
                        self.unit.types.integer(&field.ty.ty).is_some_and(|(_, signed)| signed);
                    let align = if bits.unit.is_power_of_two() { bits.unit } else { 1 };
                    self.builder.layout(Layout {
                        size: bits.unit,
                        align,
                        kind: LayoutKind::Int { signed },
                    })
                }
                None => self.layout(&field.ty.ty),
            };
            fields.push(Field {
                name: field.name.as_deref().unwrap_or("").to_string(),
                offset: field.offset,
                layout: inner,
                bits: field.bits.map(|bits| (bits.shift as u8, bits.width as u8)),
                purpose: field.purpose,
            });
        }
        let name = self.unit.types.name_of(&Type::Record(id));
        let kind = LayoutKind::Record { name, fields };
        self.builder.define_layout(layout, Layout { size: body.size, align: body.align, kind });
        layout
    }
}
