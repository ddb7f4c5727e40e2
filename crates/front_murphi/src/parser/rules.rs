//! Rules, start states, properties, and what they stand under.

use super::{Parsed, Parser};
use crate::ast::{Code, Property, Rule};
use crate::lexer::Kind;
use execution::diagnostic::Diagnostic;

impl Parser<'_> {
    /// A rule, start state or property, or several under parameters, if one begins here.
    pub fn rule(&mut self) -> Parsed<Option<Rule>> {
        let word = match &self.token().kind {
            Kind::Keyword(word) => *word,
            // Where a rule can begin this is no name, however it is spelled.
            Kind::Name(name) if name.eq_ignore_ascii_case("choose") => "choose",
            _ => return Ok(None),
        };
        let start = self.span();
        self.at += 1;
        let rule = match word {
            "rule" => self.simple_rule()?,
            "startstate" => {
                let name = self.text();
                let span = self.since(start);
                let code = self.code()?;
                self.expect_end("endstartstate", start, "the start state")?;
                Rule::Start { name, span, code }
            }
            "invariant" => self.property(Property::Invariant)?,
            "assume" => self.property(Property::Assume)?,
            "cover" => self.property(Property::Cover)?,
            "liveness" => {
                let message = "`liveness` is not supported: only properties of states are checked";
                return Err(Diagnostic::error(start, message));
            }
            "ruleset" => {
                let mut parameters = vec![self.quantifier()?];
                while self.accept(";") {
                    if self.is_keyword("do") {
                        break;
                    }
                    parameters.push(self.quantifier()?);
                }
                self.expect_keyword("do", "after the parameters of a ruleset")?;
                Rule::Set(parameters, self.rules("endruleset", "the ruleset")?)
            }
            "alias" => {
                let aliases = self.aliases()?;
                Rule::Alias(aliases, self.rules("endalias", "the alias")?)
            }
            "choose" => {
                let name = self.name("a name for positions")?;
                self.expect(":", "after the name for positions")?;
                let multiset = self.expr()?;
                self.expect_keyword("do", "after the multiset")?;
                Rule::Choose(name, multiset, self.rules("endchoose", "the choice")?)
            }
            _ => {
                self.at -= 1;
                return Ok(None);
            }
        };
        self.accept(";");
        Ok(Some(rule))
    }

    /// Rules up to an `end`.
    fn rules(&mut self, word: &str, what: &str) -> Parsed<Vec<Rule>> {
        let start = self.last();
        self.nested(|parser| {
            let mut rules = Vec::new();
            loop {
                if parser.accept(";") {
                    continue;
                }
                if parser.accept_keyword("end") || parser.accept_keyword(word) {
                    return Ok(rules);
                }
                match parser.rule()? {
                    Some(rule) => rules.push(rule),
                    None => {
                        let wanted: Parsed<()> =
                            parser.expected(&format!("a rule or `end` of {what}"));
                        return wanted
                            .map(|()| rules)
                            .map_err(|error| error.also(start, format!("{what} begins here")));
                    }
                }
            }
        })
    }

    fn simple_rule(&mut self) -> Parsed<Rule> {
        let start = self.last();
        let name = self.text();
        let span = self.since(start);
        // Declarations or `begin` without a guard: the rule is always enabled.
        let has_no_guard = ["begin", "var", "const", "type", "end", "endrule"];
        let guard = match self.token().kind {
            Kind::Keyword(word) if has_no_guard.contains(&word) => None,
            Kind::Sign("==>") => None,
            _ => Some(self.expr()?),
        };
        if guard.is_some() || self.is_sign("==>") {
            self.expect("==>", "after the guard of a rule")?;
        }
        let code = self.code()?;
        self.expect_end("endrule", start, "the rule")?;
        Ok(Rule::Simple { name, span, guard, code })
    }

    /// Declarations, then statements, perhaps after `begin`.
    fn code(&mut self) -> Parsed<Code> {
        let mut decls = Vec::new();
        while self.declarations(&mut decls)? {}
        self.accept_keyword("begin");
        Ok(Code { decls, body: self.statements()? })
    }

    fn property(&mut self, kind: Property) -> Parsed<Rule> {
        let start = self.last();
        let before = self.text();
        let condition = self.expr()?;
        let name = before.or_else(|| self.text());
        Ok(Rule::Property { kind, name, span: start.to(condition.span), condition })
    }
}
