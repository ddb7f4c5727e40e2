//! Initialisers: braced lists, designators, and GNU's ranges and old spellings.

use super::{Parse, Parser};
use crate::ast::{Designator, InitList, Initializer};

impl Parser<'_> {
    /// An expression or a braced list.
    pub(super) fn initializer(&mut self) -> Parse<Initializer> {
        if self.at("{") {
            return Ok(Initializer::List(self.nested(Self::init_list)?));
        }
        Ok(Initializer::Expr(self.assignment()?))
    }

    /// `{ … }`, possibly empty, possibly with a comma at the end.
    pub(super) fn init_list(&mut self) -> Parse<InitList> {
        let open = self.expect("{", "to start the initialiser")?;
        let mut items = Vec::new();
        while !self.at("}") {
            if self.at_end() {
                return self.unclosed_brace(open, None);
            }
            let designators = self.designation()?;
            items.push((designators, self.initializer()?));
            if !self.eat(",") {
                break;
            }
        }
        self.expect_close("}", open)?;
        Ok(InitList { items, span: self.since(open) })
    }

    /// `.a.b[1] =`, `[1 ... 3] =`, `a:` or nothing.
    fn designation(&mut self) -> Parse<Vec<Designator>> {
        if self.at_name() && self.at_after(1, ":") {
            let name = self.expect_name("a member")?;
            self.bump();
            return Ok(vec![Designator::Field(name)]);
        }
        let mut designators = Vec::new();
        while let Some(designator) = self.designator()? {
            designators.push(designator);
        }
        if !designators.is_empty() && !self.eat("=") {
            let old_style = matches!(designators.as_slice(), [Designator::Index(_)]);
            if !old_style {
                return self.expected("`=`", "after designator");
            }
        }
        Ok(designators)
    }

    /// One designator, if one is next.
    pub(super) fn designator(&mut self) -> Parse<Option<Designator>> {
        if self.eat(".") {
            return Ok(Some(Designator::Field(self.expect_name("the name of a member")?)));
        }
        if !self.at("[") {
            return Ok(None);
        }
        let open = self.span();
        self.bump();
        let low = self.conditional_expression()?;
        let designator = if self.eat("...") {
            Designator::Range(low, self.conditional_expression()?)
        } else {
            Designator::Index(low)
        };
        self.expect_close("]", open)?;
        Ok(Some(designator))
    }
}
