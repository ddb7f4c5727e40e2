//! Attributes: which ones change meaning, which are refused, which are only advice.

use crate::ast::{self, AlignAs, Attribute, Expr, ExprKind, Ident, Specifiers};
use crate::sema::expressions::literal;
use crate::sema::tree;
use crate::sema::{Checked, Sema, fail, refuse};
use execution::span::Span;
use ir::locks::{LockView, LockWord, Purpose};

/// Attributes that would change what a program does in a way that is not supported.
const REFUSED: &[(&str, &str)] = &[
    ("vector_size", "vector types are"),
    ("alias", "aliases are"),
    ("ifunc", "the attribute `ifunc` is"),
    ("weakref", "the attribute `weakref` is"),
    ("scalar_storage_order", "the attribute `scalar_storage_order` is"),
];

/// What the attributes of a declaration say.
#[derive(Clone, Copy, Debug, Default)]
pub struct Said {
    /// `packed`
    pub packed: bool,
    /// `aligned` or `_Alignas`
    pub align: Option<u64>,
    /// `noreturn`
    pub noreturn: bool,
    /// `mode`: the number of bits of an integer
    pub mode: Option<u32>,
    /// `gnu_inline`
    pub gnu_inline: bool,
    /// `transparent_union`
    pub transparent: bool,
    /// `weak`
    pub weak: bool,
    /// `constructor`: when it runs before `main`
    pub constructor: Option<u32>,
    /// `destructor`: when it runs after `main`
    pub destructor: Option<u32>,
    /// `__fp_lock_word`: what a member or the values of an enumeration are for
    pub purpose: Purpose,
    /// `__fp_own_holder_only`
    pub lock_view: LockView,
    /// `__fp_role`: what a call of a function means to the caller
    pub role: tree::Role,
}

/// The priority of functions that run before or after `main`, where none is given.
const LATE: u32 = 65535;

impl Sema<'_> {
    /// Reads a list of attributes.
    pub fn attributes(&mut self, list: &[Attribute]) -> Checked<Said> {
        let mut said = Said::default();
        for attribute in list {
            match &*attribute.name.name {
                "packed" => said.packed = true,
                "noreturn" => said.noreturn = true,
                "gnu_inline" => said.gnu_inline = true,
                "transparent_union" => said.transparent = true,
                "weak" => said.weak = true,
                "mode" => said.mode = Some(mode(attribute)?),
                "constructor" => said.constructor = Some(self.priority(attribute)?),
                "destructor" => said.destructor = Some(self.priority(attribute)?),
                "__fp_lock_word" => {
                    self.of_library(attribute)?;
                    said.purpose = Purpose::LockWord(lock_word(attribute)?);
                }
                "__fp_own_holder_only" => {
                    self.of_library(attribute)?;
                    said.lock_view = LockView::OwnHolderOnly;
                }
                "__fp_role" => {
                    self.of_library(attribute)?;
                    said.role = role(attribute)?;
                }
                "aligned" => {
                    let align = match attribute.args.first() {
                        None => 16,
                        Some(arg) => {
                            let number = self.integer_number(arg, "an alignment")?;
                            alignment(number, arg.span)?.unwrap_or(1)
                        }
                    };
                    said.align = said.align.max(Some(align));
                }
                name => {
                    if let Some((_, what)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
                        return refuse(attribute.name.span, format!("{what} not supported"));
                    }
                }
            }
        }
        Ok(said)
    }

    /// Refuses an attribute by which only the embedded headers say what they know about themselves:
    /// reductions rest on it.
    fn of_library(&self, attribute: &Attribute) -> Checked<()> {
        match self.is_embedded(attribute.name.span) {
            true => Ok(()),
            false => {
                let name = &attribute.name.name;
                fail(
                    attribute.name.span,
                    format!("the attribute `{name}` is for Fencepost's headers"),
                )
            }
        }
    }

    /// What is to be called with the address of a local when its block is left: the function that
    /// `cleanup` names.
    pub(crate) fn cleanup(
        &mut self,
        name: &Ident,
        declaration: &ast::Declaration,
        item: &ast::InitDeclarator,
    ) -> Checked<Option<tree::Expr>> {
        let mut all = item.declarator.attributes.iter().chain(&declaration.specifiers.attributes);
        let is_cleanup =
            |attribute: &&Attribute| matches!(&*attribute.name.name, "cleanup" | "__cleanup__");
        let Some(attribute) = all.find(is_cleanup) else { return Ok(None) };
        let span = attribute.name.span;
        let [function] = &attribute.args[..] else {
            return fail(span, "the attribute `cleanup` takes a function");
        };
        let local = Expr { kind: ExprKind::Ident(name.name.clone()), span: name.span };
        let address = Expr { kind: ExprKind::AddressOf(Box::new(local)), span: name.span };
        let (callee, args) = (Box::new(function.clone()), vec![address]);
        let call = Expr { kind: ExprKind::Call { callee, args }, span };
        self.expr(&call).map(Some)
    }

    fn priority(&mut self, attribute: &Attribute) -> Checked<u32> {
        match attribute.args.first() {
            None => Ok(LATE),
            Some(arg) => {
                let number = self.integer_number(arg, "a priority")?;
                match u32::try_from(number) {
                    Ok(number) if number <= LATE => Ok(number),
                    _ => fail(arg.span, "a priority is a number from 0 to 65535"),
                }
            }
        }
    }

    /// Reads the attributes and `_Alignas` of declaration specifiers.
    pub fn specifier_attributes(&mut self, specifiers: &Specifiers) -> Checked<Said> {
        let mut said = self.attributes(&specifiers.attributes)?;
        for alignas in &specifiers.alignas {
            let align = match alignas {
                AlignAs::Type(name) => {
                    let ty = self.type_name(name)?;
                    Some(self.unit.types.align_of(&ty))
                }
                AlignAs::Expr(expr) => {
                    let number = self.integer_number(expr, "an alignment")?;
                    alignment(number, expr.span)?
                }
            };
            said.align = said.align.max(align);
        }
        Ok(said)
    }
}

/// The bits of `mode(QI)`, `mode(__word__)` …
fn mode(attribute: &Attribute) -> Checked<u32> {
    let name = match attribute.args.as_slice() {
        [Expr { kind: ExprKind::Ident(name), .. }] => name.trim_matches('_'),
        _ => "",
    };
    Ok(match name {
        "QI" | "byte" => 8,
        "HI" => 16,
        "SI" => 32,
        "DI" | "word" | "pointer" | "unwind_word" => 64,
        "TI" => 128,
        _ => return refuse(attribute.name.span, "this `mode` is not supported"),
    })
}

/// What the word of a lock says: `__fp_lock_word("owner")`. It is a string, which no macro or
/// declaration of the user's changes.
fn lock_word(attribute: &Attribute) -> Checked<LockWord> {
    let named = match attribute.args.as_slice() {
        [Expr { kind: ExprKind::String(name), .. }] => LockWord::named(&literal::text(name)),
        _ => None,
    };
    named.map_or_else(|| fail(attribute.name.span, "this is not a kind of lock word"), Ok)
}

/// What a call of a function means: `__fp_role("ends-thread")`.
fn role(attribute: &Attribute) -> Checked<tree::Role> {
    let named = match attribute.args.as_slice() {
        [Expr { kind: ExprKind::String(name), .. }] => tree::Role::named(&literal::text(name)),
        _ => None,
    };
    named.map_or_else(|| fail(attribute.name.span, "this is not a role of a function"), Ok)
}

/// A power of two; zero says nothing.
fn alignment(number: i128, span: Span) -> Checked<Option<u64>> {
    match u64::try_from(number) {
        Ok(0) => Ok(None),
        Ok(align) if align.is_power_of_two() && align <= 1 << 28 => Ok(Some(align)),
        _ => fail(span, "an alignment must be a power of two"),
    }
}
