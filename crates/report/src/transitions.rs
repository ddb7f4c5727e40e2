//! A way through the states of a model, rule by rule, with the variables that change.

use execution::printable::one_line;
use std::fmt::Write;

/// A variable that a step changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// Its name.
    pub name: String,
    /// Its value before, unless the step is the first.
    pub before: Option<String>,
    /// Its value after.
    pub after: String,
}

/// A step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// `rule "send", n = 2`
    pub rule: String,
    /// The line of the rule.
    pub line: u32,
    /// What it changes; of the first step, what it sets.
    pub changes: Vec<Change>,
    /// Whether it fails, so that nothing is known of its effect.
    pub fails: bool,
}

/// The steps as text, numbered from 0; each with what it changes.
pub fn render(steps: &[Transition]) -> String {
    let mut out = String::new();
    for (number, step) in steps.iter().enumerate() {
        let fails = if step.fails { "  -- fails here" } else { "" };
        let rule = one_line(&step.rule);
        let _ = writeln!(out, "{number:>4}  {rule}  (line {}){fails}", step.line);
        let width = step.changes.iter().map(|change| change.name.chars().count()).max();
        let width = width.unwrap_or(0).min(40);
        for Change { name, before, after } in &step.changes {
            let _ = match before {
                None => writeln!(out, "        {name:<width$} = {after}"),
                Some(before) => writeln!(out, "        {name:<width$} : {before} -> {after}"),
            };
        }
        if step.changes.is_empty() && !step.fails {
            out += "        nothing changes\n";
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_show_what_they_change() {
        let change = |before: Option<&str>, after: &str| Change {
            name: "turn".into(),
            before: before.map(Into::into),
            after: after.into(),
        };
        let step = |rule: &str, line, changes, fails| Transition {
            rule: rule.into(),
            line,
            changes,
            fails,
        };
        let steps = [
            step("start state \"empty\"", 4, vec![change(None, "0")], false),
            step("rule \"pass\", t = T_1", 9, vec![change(Some("0"), "1")], false),
            step("rule \"pass\", t = T_2", 9, Vec::new(), true),
        ];
        let expected = "   0  start state \"empty\"  (line 4)\n        turn = 0\n   \
            1  rule \"pass\", t = T_1  (line 9)\n        turn : 0 -> 1\n   \
            2  rule \"pass\", t = T_2  (line 9)  -- fails here\n";
        assert_eq!(render(&steps), expected);
    }
}
