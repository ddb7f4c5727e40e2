//! What the two processes say to each other: one line each way.

use ir::native::NativeFunction;

/// What is asked of the helper.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The function.
    pub function: NativeFunction,
    /// Its arguments; none, if only its existence is asked for.
    pub arguments: Option<Vec<u64>>,
}

/// What the helper answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The function exists.
    Exists,
    /// What two calls gave.
    Results(u64, u64),
    /// There is no such function, or it cannot be called.
    Missing(String),
}

/// What separates the parts of a line; no name of a file that is loaded can contain it.
const SEPARATOR: char = '\t';

impl Request {
    /// The line.
    pub fn line(&self) -> String {
        let Self { function, arguments } = self;
        let parts = [function.name.clone(), function.signature()].into_iter();
        let numbers = arguments.iter().flatten().map(|number| format!("{number:x}"));
        let what = if arguments.is_some() { "call" } else { "find" }.to_string();
        let line: Vec<String> = parts.chain([what]).chain(numbers).collect();
        line.join(&SEPARATOR.to_string()) + "\n"
    }

    /// What a line says.
    pub fn of_line(line: &str) -> Option<Self> {
        let mut parts = line.trim_end_matches('\n').split(SEPARATOR);
        let name = parts.next()?.to_string();
        let function = NativeFunction::of_signature(name, parts.next()?)?;
        let calls = parts.next()? == "call";
        let numbers: Option<Vec<u64>> =
            parts.map(|number| u64::from_str_radix(number, 16).ok()).collect();
        Some(Request { function, arguments: Some(numbers?).filter(|_| calls) })
    }
}

impl Answer {
    /// The line.
    pub fn line(&self) -> String {
        match self {
            Answer::Exists => "exists\n".to_string(),
            Answer::Results(first, second) => {
                format!("results{SEPARATOR}{first:x}{SEPARATOR}{second:x}\n")
            }
            Answer::Missing(why) => {
                format!("missing{SEPARATOR}{}\n", why.replace(['\n', SEPARATOR], " "))
            }
        }
    }

    /// What a line says.
    pub fn of_line(line: &str) -> Option<Self> {
        let line = line.strip_suffix('\n')?;
        let mut parts = line.split(SEPARATOR);
        let word = parts.next()?;
        let mut number = || u64::from_str_radix(parts.next()?, 16).ok();
        match word {
            "exists" => Some(Answer::Exists),
            "results" => Some(Answer::Results(number()?, number()?)),
            "missing" => Some(Answer::Missing(parts.next()?.to_string())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_are_written() {
        let function = NativeFunction::of_signature("./my lib.so:f".into(), "u64(u64,f64)");
        let function = function.expect("a signature");
        for arguments in [None, Some(vec![]), Some(vec![0, u64::MAX])] {
            let request = Request { function: function.clone(), arguments };
            assert_eq!(Request::of_line(&request.line()), Some(request));
        }
        let missing = Answer::Missing("no such file".to_string());
        for answer in [Answer::Exists, Answer::Results(1, u64::MAX), missing] {
            assert_eq!(Answer::of_line(&answer.line()), Some(answer));
        }
        assert_eq!(Answer::of_line("results\t12"), None, "the process ended in the middle");
    }
}
