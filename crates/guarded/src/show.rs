//! States as text: the names of cells and the values in them.

use crate::model::{Model, Parameter, ParameterDomain, ScalarId, ScalarKind, Type, TypeId};

/// A cell's name and how its codes are shown.
#[derive(Clone, Debug)]
pub struct ShownCell {
    /// `state[Client_1].data`
    pub name: String,
    scalar: Option<ScalarId>,
}

/// All cells of the state, in order.
pub fn cells(model: &Model) -> Vec<ShownCell> {
    let mut cells = Vec::new();
    for variable in &model.variables {
        part(model, variable.ty, variable.name.to_string(), &mut cells);
    }
    cells
}

fn part(model: &Model, ty: TypeId, name: String, cells: &mut Vec<ShownCell>) {
    match model.types.get(ty) {
        Type::Scalar(scalar) => cells.push(ShownCell { name, scalar: Some(*scalar) }),
        Type::Array { index, element } => {
            let scalar = &model.types.scalars[*index];
            for at in scalar.low..=scalar.high {
                let name = format!("{name}[{}]", value(model, *index, at));
                part(model, *element, name, cells);
            }
        }
        Type::Record(fields) => {
            for field in fields {
                part(model, field.ty, format!("{name}.{}", field.name), cells);
            }
        }
        Type::Multiset { capacity, element } => {
            for slot in 0..*capacity {
                cells.push(ShownCell { name: format!("{name}{{{slot}}}"), scalar: None });
                part(model, *element, format!("{name}{{{slot}}}"), cells);
            }
        }
    }
}

impl ShownCell {
    /// The value with this code.
    pub fn value(&self, model: &Model, code: u32) -> String {
        match (self.scalar, code) {
            (None, 0) => "absent".to_string(),
            (None, _) => "present".to_string(),
            (Some(_), 0) => "undefined".to_string(),
            (Some(scalar), code) => {
                let low = model.types.scalars[scalar].low;
                value(model, scalar, low + i64::from(code) - 1)
            }
        }
    }
}

/// A value of a scalar type.
pub fn value(model: &Model, scalar: ScalarId, number: i64) -> String {
    let this = &model.types.scalars[scalar];
    match &this.kind {
        ScalarKind::Boolean => (number != 0).to_string(),
        ScalarKind::Range => number.to_string(),
        ScalarKind::Enum(members) => {
            let member = usize::try_from(number - this.low).ok().and_then(|at| members.get(at));
            member.map_or_else(|| number.to_string(), ToString::to_string)
        }
        ScalarKind::Scalarset => {
            let name = this.name.as_deref().unwrap_or("member");
            format!("{name}_{}", number - this.low + 1)
        }
        ScalarKind::Position => (number - this.low).to_string(),
        ScalarKind::Union(parts) => {
            let holds = |part: &&ScalarId| {
                let part = &model.types.scalars[**part];
                (part.low..=part.high).contains(&number)
            };
            let part = parts.iter().find(holds);
            part.map_or_else(|| number.to_string(), |part| value(model, *part, number))
        }
    }
}

/// The value of a parameter.
pub fn parameter(model: &Model, parameter: &Parameter, number: i64) -> String {
    match &parameter.domain {
        ParameterDomain::Scalar(scalar) | ParameterDomain::Multiset { position: scalar, .. } => {
            value(model, *scalar, number)
        }
        ParameterDomain::Numbers { .. } => number.to_string(),
    }
}
