//! The tree as text: S-expressions for statements and expressions, English for declarators.

use crate::ast::*;

fn text(literal: &StringLiteral) -> String {
    let units = literal.units.iter().map(|&u| char::from_u32(u).unwrap_or('?'));
    format!("{:?}", units.collect::<String>())
}

fn all<T>(items: impl IntoIterator<Item = T>, one: impl Fn(T) -> String) -> String {
    items.into_iter().map(one).collect::<Vec<_>>().join(" ")
}

pub(super) fn block(block: &Block) -> String {
    format!("{{{}}}", all(&block.items, item))
}

fn item(item: &BlockItem) -> String {
    match item {
        BlockItem::Declaration(d) => declaration(d),
        BlockItem::Statement(s) => stmt(s),
        BlockItem::StaticAssert(a) => format!("(assert {})", expr(&a.condition)),
        BlockItem::Function(f) => format!("(nested {})", block(&f.body)),
    }
}

pub(super) fn declaration(declaration: &Declaration) -> String {
    let one = |d: &InitDeclarator| {
        let english = english(&d.declarator, &declaration.specifiers);
        match &d.init {
            Some(init) => format!("({english} = {})", initializer(init)),
            None => format!("({english})"),
        }
    };
    if declaration.declarators.is_empty() {
        return format!("({})", specifiers(&declaration.specifiers));
    }
    all(&declaration.declarators, one)
}

/// `a is array of 3 pointer to int`
pub(super) fn english(declarator: &Declarator, base: &Specifiers) -> String {
    let mut out = match &declarator.name {
        Some(name) => format!("{} is ", name.name),
        None => String::new(),
    };
    for derivation in &declarator.derivations {
        match derivation {
            Derivation::Pointer(q, _) => out += &format!("{}pointer to ", qualifiers(q)),
            Derivation::Array { size: ArraySize::Expr(n), .. } => {
                out += &format!("array of {} ", expr(n));
            }
            Derivation::Array { .. } => out += "array of ",
            Derivation::Function { params, variadic, unprototyped } => {
                let dots = if *variadic { ", ..." } else { "" };
                let open = if *unprototyped { "?" } else { "" };
                let params = params.iter().map(|p| english(&p.declarator, &p.specifiers));
                let params = params.collect::<Vec<_>>().join(", ");
                out += &format!("function({params}{dots}{open}) returning ");
            }
        }
    }
    out + &specifiers(base)
}

fn qualifiers(q: &Qualifiers) -> String {
    let words = [
        (q.is_const, "const "),
        (q.is_volatile, "volatile "),
        (q.is_atomic, "atomic "),
        (q.is_restrict, "restrict "),
    ];
    words.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect()
}

pub(super) fn specifiers(specifiers: &Specifiers) -> String {
    let mut out = match specifiers.storage {
        Some((class, _)) => format!("{class:?} ").to_lowercase(),
        None => String::new(),
    };
    for (is, word) in [
        (specifiers.thread_local, "thread "),
        (specifiers.inline, "inline "),
        (specifiers.noreturn, "noreturn "),
    ] {
        out += if is { word } else { "" };
    }
    for alignas in &specifiers.alignas {
        out += &match alignas {
            AlignAs::Type(ty) => format!("alignas({}) ", type_name(ty)),
            AlignAs::Expr(e) => format!("alignas({}) ", expr(e)),
        };
    }
    out += &attributes(&specifiers.attributes);
    out + &qualifiers(&specifiers.qualifiers) + &ty(&specifiers.ty)
}

fn attributes(list: &[Attribute]) -> String {
    let one = |a: &Attribute| match a.args.is_empty() {
        true => format!("@{} ", a.name.name),
        false => format!("@{}({}) ", a.name.name, all(&a.args, expr)),
    };
    list.iter().map(one).collect()
}

fn ty(ty: &TypeSpecifier) -> String {
    let signed = |sign: &Sign, name: &str| match sign {
        Sign::Signed => name.to_string(),
        Sign::Unsigned => format!("unsigned {name}"),
    };
    match ty {
        TypeSpecifier::Void => "void".into(),
        TypeSpecifier::Bool => "bool".into(),
        TypeSpecifier::Char(None) => "char".into(),
        TypeSpecifier::Char(Some(Sign::Signed)) => "signed char".into(),
        TypeSpecifier::Char(Some(Sign::Unsigned)) => "unsigned char".into(),
        TypeSpecifier::Short(s) => signed(s, "short"),
        TypeSpecifier::Int(s) => signed(s, "int"),
        TypeSpecifier::Long(s) => signed(s, "long"),
        TypeSpecifier::LongLong(s) => signed(s, "long long"),
        TypeSpecifier::Int128(s) => signed(s, "int128"),
        TypeSpecifier::Float(name) => name.to_string(),
        TypeSpecifier::Typedef(name) => name.name.to_string(),
        TypeSpecifier::Record(record) => self::record(record),
        TypeSpecifier::Enum(e) => {
            let tag = e.tag.as_ref().map_or("", |tag| &tag.name);
            let one = |(name, value): &(Ident, Option<Expr>)| match value {
                Some(value) => format!("{}={}", name.name, expr(value)),
                None => name.name.to_string(),
            };
            let list = e.enumerators.as_ref().map(|list| format!("{{{}}}", all(list, one)));
            let fixed = e.fixed.as_ref().map(|ty| format!(":{}", specifiers(ty)));
            let (fixed, list) = (fixed.unwrap_or_default(), list.unwrap_or_default());
            format!("enum {}{tag}{fixed}{list}", attributes(&e.attributes))
        }
        TypeSpecifier::Atomic(ty) => format!("atomic({})", type_name(ty)),
        TypeSpecifier::TypeofExpr(e) => format!("typeof({})", expr(e)),
        TypeSpecifier::TypeofType(ty) => format!("typeof({})", type_name(ty)),
        TypeSpecifier::Unqualified(_) => "typeof_unqual".into(),
        TypeSpecifier::Auto => "auto".into(),
        TypeSpecifier::Missing => "nothing".into(),
    }
}

fn record(record: &RecordSpecifier) -> String {
    let kind = format!("{:?}", record.kind).to_lowercase();
    let tag = record.tag.as_ref().map_or("", |tag| &tag.name);
    let pack = record.pack.map_or(String::new(), |n| format!("pack({n}) "));
    let pack = if record.members.is_some() { pack } else { String::new() };
    let one = |m: &Member| match m {
        Member::StaticAssert(a) => format!("(assert {})", expr(&a.condition)),
        Member::Fields { specifiers: s, declarators } if declarators.is_empty() => {
            format!("({})", specifiers(s))
        }
        Member::Fields { specifiers: s, declarators } => all(declarators, |f| {
            let bits = f.bits.as_ref().map_or(String::new(), |e| format!(" :{}", expr(e)));
            match &f.declarator {
                Some(d) => format!("({}{}{bits})", attributes(&d.attributes), english(d, s)),
                None => format!("({}{bits})", specifiers(s)),
            }
        }),
    };
    let members = record.members.as_ref().map(|list| format!("{{{}}}", all(list, one)));
    let members = members.unwrap_or_default();
    format!("{kind} {}{pack}{tag}{members}", attributes(&record.attributes))
}

pub(super) fn type_name(ty: &TypeName) -> String {
    english(&ty.declarator, &ty.specifiers)
}

fn initializer(init: &Initializer) -> String {
    match init {
        Initializer::Expr(e) => expr(e),
        Initializer::List(list) => self::list(list),
    }
}

fn list(list: &InitList) -> String {
    let one = |(path, init): &(Vec<Designator>, Initializer)| match path.is_empty() {
        true => initializer(init),
        false => format!("{}={}", self::path(path), initializer(init)),
    };
    format!("[{}]", all(&list.items, one))
}

fn path(path: &[Designator]) -> String {
    let one = |d: &Designator| match d {
        Designator::Field(name) => format!(".{}", name.name),
        Designator::Index(e) => format!("[{}]", expr(e)),
        Designator::Range(a, b) => format!("[{}...{}]", expr(a), expr(b)),
    };
    path.iter().map(one).collect()
}

pub(super) fn stmt(stmt: &Stmt) -> String {
    let sub = self::stmt;
    match &stmt.kind {
        StmtKind::Expr(None) => "()".into(),
        StmtKind::Expr(Some(e)) => expr(e),
        StmtKind::Block(b) => block(b),
        StmtKind::If { cond, then, otherwise } => match otherwise {
            Some(other) => format!("(if {} {} {})", expr(cond), sub(then), sub(other)),
            None => format!("(if {} {})", expr(cond), sub(then)),
        },
        StmtKind::While { cond, body } => format!("(while {} {})", expr(cond), sub(body)),
        StmtKind::DoWhile { body, cond } => format!("(do {} {})", sub(body), expr(cond)),
        StmtKind::For { init, cond, step, body } => {
            let init = match init {
                Some(ForInit::Declaration(d)) => declaration(d),
                Some(ForInit::Expr(e)) => expr(e),
                None => "()".into(),
            };
            let part = |e: &Option<Expr>| e.as_ref().map_or("()".into(), expr);
            format!("(for {init} {} {} {})", part(cond), part(step), sub(body))
        }
        StmtKind::Switch { value, body } => format!("(switch {} {})", expr(value), sub(body)),
        StmtKind::Case { low, high: None, body } => format!("(case {} {})", expr(low), sub(body)),
        StmtKind::Case { low, high: Some(high), body } => {
            format!("(case {}...{} {})", expr(low), expr(high), sub(body))
        }
        StmtKind::Default(body) => format!("(default {})", sub(body)),
        StmtKind::Label { name, body } => format!("({}: {})", name.name, sub(body)),
        StmtKind::Goto(name) => format!("(goto {})", name.name),
        StmtKind::ComputedGoto(e) => format!("(goto* {})", expr(e)),
        StmtKind::Continue => "(continue)".into(),
        StmtKind::Break => "(break)".into(),
        StmtKind::Return(None) => "(return)".into(),
        StmtKind::Return(Some(e)) => format!("(return {})", expr(e)),
        StmtKind::Asm(a) => asm(a),
        StmtKind::Atomic(body) => format!("(atomic {})", sub(body)),
    }
}

pub(super) fn asm(a: &Asm) -> String {
    let operands = |list: &[AsmOperand]| {
        all(list, |operand| format!("{}({})", text(&operand.constraint), expr(&operand.expr)))
    };
    let flags = [(a.volatile, " volatile"), (a.goto, " goto")];
    let flags: String = flags.iter().filter(|f| f.0).map(|f| f.1).collect();
    let clobbers = all(&a.clobbers, text);
    let (outputs, inputs) = (operands(&a.outputs), operands(&a.inputs));
    format!("(asm{flags} {} [{outputs}] [{inputs}] [{clobbers}])", text(&a.template))
}

pub(super) fn expr(e: &Expr) -> String {
    let two = |op: &str, a: &Expr, b: &Expr| format!("({op} {} {})", expr(a), expr(b));
    let one = |op: &str, a: &Expr| format!("({op} {})", expr(a));
    match &e.kind {
        ExprKind::Ident(name) => name.to_string(),
        ExprKind::Int { value, .. } => value.to_string(),
        ExprKind::Float(text) => format!("float:{text}"),
        ExprKind::Char { value, .. } => format!("char:{value}"),
        ExprKind::String(literal) => text(literal),
        ExprKind::Generic { value, arms } => {
            let arm = |(ty, e): &(Option<TypeName>, Expr)| {
                let ty = ty.as_ref().map_or("default".into(), type_name);
                format!("({ty}: {})", expr(e))
            };
            format!("(generic {} {})", expr(value), all(arms, arm))
        }
        ExprKind::Index(a, b) => two("[]", a, b),
        ExprKind::Call { callee, args } if args.is_empty() => format!("(call {})", expr(callee)),
        ExprKind::Call { callee, args } => format!("(call {} {})", expr(callee), all(args, expr)),
        ExprKind::Member(a, name) => format!("(. {} {})", expr(a), name.name),
        ExprKind::Arrow(a, name) => format!("(-> {} {})", expr(a), name.name),
        ExprKind::PostIncrement(a) => one("post++", a),
        ExprKind::PostDecrement(a) => one("post--", a),
        ExprKind::PreIncrement(a) => one("++", a),
        ExprKind::PreDecrement(a) => one("--", a),
        ExprKind::AddressOf(a) => one("&", a),
        ExprKind::Deref(a) => one("*", a),
        ExprKind::Unary(op, a) => one(&format!("{op:?}"), a),
        ExprKind::Extension(a) => one("extension", a),
        ExprKind::SizeofExpr(a) => one("sizeof", a),
        ExprKind::SizeofType(ty) => format!("(sizeof-type {})", type_name(ty)),
        ExprKind::AlignofType(ty) => format!("(alignof-type {})", type_name(ty)),
        ExprKind::AlignofExpr(a) => one("alignof", a),
        ExprKind::Offsetof { ty, path: p } => format!("(offsetof {} {})", type_name(ty), path(p)),
        ExprKind::Cast(ty, a) => format!("(cast {} {})", type_name(ty), expr(a)),
        ExprKind::CompoundLiteral(ty, l) => format!("(literal {} {})", type_name(ty), list(l)),
        ExprKind::Binary(op, a, b) => two(&format!("{op:?}"), a, b),
        ExprKind::LogicalAnd(a, b) => two("&&", a, b),
        ExprKind::LogicalOr(a, b) => two("||", a, b),
        ExprKind::Conditional { cond, then, otherwise } => {
            let then = then.as_ref().map_or("()".into(), |e| expr(e));
            format!("(? {} {then} {})", expr(cond), expr(otherwise))
        }
        ExprKind::Assign(a, b) => two("=", a, b),
        ExprKind::CompoundAssign(op, a, b) => two(&format!("{op:?}="), a, b),
        ExprKind::Comma(a, b) => two(",", a, b),
        ExprKind::Statement(b) => format!("(statement {})", block(b)),
        ExprKind::TypesCompatible(a, b) => {
            format!("(compatible ({}) ({}))", type_name(a), type_name(b))
        }
        ExprKind::ChooseExpr(c, a, b) => {
            format!("(choose {} {} {})", expr(c), expr(a), expr(b))
        }
        ExprKind::VaArg(a, ty) => format!("(va_arg {} {})", expr(a), type_name(ty)),
        ExprKind::LabelAddress(name) => format!("(label {})", name.name),
    }
}
