//! Constants, types, variables, functions and procedures.

use super::{Parsed, Parser};
use crate::ast::{Decl, Function, Name, Param, TypeExpr, TypeKind};
use crate::lexer::Kind;

impl Parser<'_> {
    /// A section of declarations, if one begins here.
    pub fn declarations(&mut self, decls: &mut Vec<Decl>) -> Parsed<bool> {
        if self.accept_keyword("const") {
            while matches!(self.token().kind, Kind::Name(_)) {
                let name = self.name("the name of a constant")?;
                if !self.accept(":") {
                    self.expect("=", "or `:` after the name of a constant")?;
                }
                let value = self.expr()?;
                self.expect(";", "after a constant")?;
                decls.push(Decl::Const(name, value));
            }
        } else if self.accept_keyword("type") {
            while matches!(self.token().kind, Kind::Name(_)) {
                let name = self.name("the name of a type")?;
                if !self.accept(":") {
                    self.expect("=", "or `:` after the name of a type")?;
                }
                let ty = self.type_expr()?;
                self.expect(";", "after a type")?;
                decls.push(Decl::Type(name, ty));
            }
        } else if self.accept_keyword("var") {
            self.name_of_variable()?;
            while matches!(self.token().kind, Kind::Name(_)) {
                let names = self.names("the name of a variable")?;
                self.expect(":", "after the name of a variable")?;
                let ty = self.type_expr()?;
                self.expect(";", "after a variable")?;
                decls.push(Decl::Var(names, ty));
            }
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// A keyword after `var` is most often a variable with the name of one.
    fn name_of_variable(&mut self) -> Parsed<()> {
        let next = &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].kind;
        match (&self.token().kind, next) {
            (Kind::Keyword(_), Kind::Sign(":" | ",")) => {
                self.name("the name of a variable").map(|_| ())
            }
            _ => Ok(()),
        }
    }

    fn names(&mut self, what: &str) -> Parsed<Vec<Name>> {
        let mut names = vec![self.name(what)?];
        while self.accept(",") && !self.is_sign("}") {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    pub fn type_expr(&mut self) -> Parsed<TypeExpr> {
        self.nested(Self::type_here)
    }

    fn type_here(&mut self) -> Parsed<TypeExpr> {
        let start = self.span();
        let kind = if self.accept_keyword("boolean") {
            TypeKind::Name("boolean".into())
        } else if self.accept_keyword("enum") {
            self.expect("{", "after `enum`")?;
            let members = self.names("a member of the enumeration")?;
            self.expect("}", "after the members of an enumeration")?;
            TypeKind::Enum(members)
        } else if self.accept_keyword("scalarset") {
            self.expect("(", "after `scalarset`")?;
            let size = self.expr()?;
            self.expect(")", "after the size of a scalarset")?;
            TypeKind::Scalarset(Box::new(size))
        } else if self.accept_keyword("union") {
            self.expect("{", "after `union`")?;
            let mut parts = vec![self.type_expr()?];
            while self.accept(",") {
                parts.push(self.type_expr()?);
            }
            self.expect("}", "after the parts of a union")?;
            TypeKind::Union(parts)
        } else if self.accept_keyword("array") {
            self.expect("[", "after `array`")?;
            let index = self.type_expr()?;
            self.expect("]", "after the index type of an array")?;
            self.expect_keyword("of", "after the index type of an array")?;
            TypeKind::Array(Box::new(index), Box::new(self.type_expr()?))
        } else if self.accept_keyword("record") {
            let mut fields = Vec::new();
            while matches!(self.token().kind, Kind::Name(_)) {
                let names = self.names("the name of a field")?;
                self.expect(":", "after the name of a field")?;
                fields.push((names, self.type_expr()?));
                self.expect(";", "after a field")?;
            }
            if !self.accept_keyword("end") && !self.accept_keyword("endrecord") {
                return self.expected("a field or `end` of the record");
            }
            TypeKind::Record(fields)
        } else if self.accept_keyword("multiset") {
            self.expect("[", "after `multiset`")?;
            let capacity = self.expr()?;
            self.expect("]", "after the capacity of a multiset")?;
            self.expect_keyword("of", "after the capacity of a multiset")?;
            TypeKind::Multiset(Box::new(capacity), Box::new(self.type_expr()?))
        } else {
            self.range_or_name()?
        };
        Ok(TypeExpr { kind, span: self.since(start) })
    }

    fn range_or_name(&mut self) -> Parsed<TypeKind> {
        let alone = |next: &Kind| !matches!(next, Kind::Sign(".." | "+" | "-" | "*" | "/" | "%"));
        if let Kind::Name(name) = &self.token().kind
            && alone(&self.tokens[(self.at + 1).min(self.tokens.len() - 1)].kind)
        {
            self.at += 1;
            return Ok(TypeKind::Name(name.clone()));
        }
        if matches!(self.token().kind, Kind::Keyword(_) | Kind::End | Kind::Text(_)) {
            return self.expected("a type");
        }
        let low = self.expr()?;
        self.expect("..", "after the lower bound of a range")?;
        Ok(TypeKind::Range(Box::new(low), Box::new(self.expr()?)))
    }

    pub fn function(&mut self) -> Parsed<Function> {
        let start = self.span();
        let is_function = self.is_keyword("function");
        self.at += 1;
        let what = if is_function { "the function" } else { "the procedure" };
        let name = self.name("the name of a function")?;
        self.expect("(", "after the name of a function")?;
        let mut params = Vec::new();
        while !self.accept(")") {
            if !params.is_empty() {
                self.expect(";", "or `)` after a parameter")?;
                if self.accept(")") {
                    break;
                }
            }
            let by_reference = self.accept_keyword("var");
            let names = self.names("the name of a parameter")?;
            self.expect(":", "after the name of a parameter")?;
            let ty = self.type_expr()?;
            params.extend(names.into_iter().map(|name| Param {
                name,
                ty: ty.clone(),
                by_reference,
            }));
        }
        let result = match is_function {
            true => {
                self.expect(":", "and the type of the result")?;
                Some(self.type_expr()?)
            }
            false => None,
        };
        self.expect(";", "after the head of a function")?;
        let mut decls = Vec::new();
        while self.declarations(&mut decls)? {}
        self.accept_keyword("begin");
        let body = self.statements()?;
        let word = if is_function { "endfunction" } else { "endprocedure" };
        self.expect_end(word, start, what)?;
        self.accept(";");
        Ok(Function { name, params, result, decls, body })
    }
}
