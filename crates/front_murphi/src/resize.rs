//! Whether a scalarset can have another size without any other change of the model.

use crate::ast::{Decl, Expr, ExprKind, File, Item, TypeKind};
use crate::lexer::{Kind, Token};
use execution::diagnostic::Diagnostic;

/// Checks that the size of a scalarset determines nothing else.
pub fn check_size(file: &File, tokens: &[Token], set: &str) -> Result<(), Diagnostic> {
    let declared = file.items.iter().find_map(|item| match item {
        Item::Decl(Decl::Type(name, ty)) if &*name.text == set => Some(ty),
        _ => None,
    });
    let Some(ty) = declared else {
        let span = execution::span::Span { end: file.span.start + 1, ..file.span };
        return Err(Diagnostic::error(span, format!("there is no scalarset `{set}`")));
    };
    let TypeKind::Scalarset(size) = &ty.kind else {
        return Err(Diagnostic::error(ty.span, format!("`{set}` is not a scalarset")));
    };
    match &**size {
        Expr { kind: ExprKind::Number(_), .. } => Ok(()),
        Expr { kind: ExprKind::Name(name), .. } => {
            let is_it = |token: &&Token| matches!(&token.kind, Kind::Name(other) if other == name);
            // Its declaration, and the size.
            let mut others = tokens.iter().filter(is_it).filter(|t| t.span != size.span).skip(1);
            match others.next() {
                None => Ok(()),
                Some(other) => {
                    let message = format!("`{name}` is used for more than the size of `{set}`");
                    Err(Diagnostic::error(other.span, message)
                        .note("the number of members could not be changed alone"))
                }
            }
        }
        _ => {
            let message = "the size must be a number or a constant";
            Err(Diagnostic::error(size.span, message))
        }
    }
}
