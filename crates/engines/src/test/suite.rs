//! Suites: the tests of a data type and how to check them, in a TOML file next to the code.
//!
//! ```toml
//! files = "queue.c"
//! models = ["sc", "tso", "relaxed"]
//!
//! [operations]
//! e = "enqueue_one"
//! d = "dequeue_one"
//!
//! [tests]
//! T0 = "( e | d )"
//! Ti2 = "e ( e d | d e )"
//! Tpc6 = { test = "( e^6 | d^6 )", time-limit = 60 }
//! ```
//!
//! Only text is read here; whether the files, models and functions exist is for others to see.

use super::Test;
use super::compose::{Named, Operations};
use super::parse::{Place, parse};
use execution::diagnostic::{Diagnostic, in_words};
use execution::printable::one_line;
use execution::span::{FileId, Span};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::time::Duration;
use toml::Spanned;

/// A suite of tests. Every part of it but the tests may be left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Suite {
    /// The C files that are checked, each by itself, relative to the suite.
    pub files: Vec<Text>,
    /// Folders with further headers, relative to the suite.
    pub include: Vec<Text>,
    /// Macros: `NAME` or `NAME=VALUE`.
    pub define: Vec<Text>,
    /// A C file whose serial executions say what is right, relative to the suite.
    pub spec: Option<Text>,
    /// Which functions the operations are.
    pub operations: Operations,
    /// What holds for every test that does not say otherwise.
    pub defaults: Settings,
    /// The tests, in the order of the file.
    pub tests: Vec<NamedTest>,
}

/// A string, and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// The string.
    pub text: String,
    /// Where it stands, with its quotes.
    pub span: Span,
}

/// A test of a suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedTest {
    /// Its name.
    pub name: String,
    /// Where its notation stands, with its quotes.
    pub span: Span,
    /// The test.
    pub test: Test,
    /// What holds for it.
    pub settings: Settings,
}

/// How a test is checked; what is left open is for the command line or the program to say.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// The memory models, by name or file.
    pub models: Option<Vec<Text>>,
    /// The criterion.
    pub method: Option<Method>,
    /// How often a loop is unrolled at most.
    pub max_unroll: Option<u32>,
    /// Whether a freed block may be handed out again.
    pub reuse_memory: Option<bool>,
    /// After so long the answer is that there is none.
    pub time_limit: Option<Duration>,
}

/// The criterion by which a data type is judged.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Every execution looks like a serial one to the client (PLDI 2007).
    Observations,
    /// Every execution looks like the serial one in the order of its commit points (CAV 2006).
    CommitPoints,
}

impl Suite {
    /// Reads a suite. `file` is its text in a source map.
    pub fn parse(text: &str, file: FileId) -> Result<Suite, Diagnostic> {
        let raw: RawSuite = toml::from_str(text).map_err(|error| not_a_suite(&error, file))?;
        let reader = Reader { text, file };
        let mut entries: Vec<_> = raw.tests.into_iter().collect();
        entries.sort_by_key(|(_, entry)| entry.span().start);
        if entries.is_empty() {
            return Err(Diagnostic::general("the suite has no tests")
                .note("they stand under `[tests]`, as in `T0 = \"( e | d )\"`"));
        }
        let defaults = Settings {
            models: raw.models.map(|models| reader.strings(models)),
            method: raw.method,
            max_unroll: raw.max_unroll,
            reuse_memory: raw.reuse_memory,
            time_limit: raw.time_limit,
        };
        let test = |(name, entry)| reader.test(name, entry, &defaults);
        let tests = entries.into_iter().map(test).collect::<Result<_, _>>()?;
        let named = |name: Spanned<String>| {
            let Text { text, span } = reader.string(name);
            Named { function: text, span: Some(span) }
        };
        let operations = Operations {
            init: raw.init.map_or_else(|| Operations::default().init, named),
            functions: raw.operations.into_iter().map(|(k, v)| (k, named(v))).collect(),
        };
        Ok(Suite {
            files: raw.files.map_or_else(Vec::new, |files| reader.strings(files)),
            include: raw.include.map_or_else(Vec::new, |folders| reader.strings(folders)),
            define: raw.define.map_or_else(Vec::new, |macros| reader.strings(macros)),
            spec: raw.spec.map(|spec| reader.string(spec)),
            operations,
            defaults,
            tests,
        })
    }

    /// The test with this name.
    pub fn test(&self, name: &str) -> Option<&NamedTest> {
        self.tests.iter().find(|test| test.name == name)
    }
}

/// The file as TOML has it. Settings are spelled out twice: flattened structures lose the places
/// of what stands in them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawSuite {
    files: Option<Spanned<RawList>>,
    include: Option<Spanned<RawList>>,
    define: Option<Spanned<RawList>>,
    spec: Option<Spanned<String>>,
    init: Option<Spanned<String>>,
    models: Option<Spanned<RawList>>,
    method: Option<Method>,
    #[serde(default, deserialize_with = "iterations")]
    max_unroll: Option<u32>,
    reuse_memory: Option<bool>,
    #[serde(default, deserialize_with = "seconds")]
    time_limit: Option<Duration>,
    #[serde(default)]
    operations: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    tests: BTreeMap<String, Spanned<RawTest>>,
}

fn iterations<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
    match u32::deserialize(from)? {
        number @ 1..=1000 => Ok(Some(number)),
        _ => Err(D::Error::custom("expected a number of iterations from 1 to 1000")),
    }
}

fn seconds<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
    match f64::deserialize(from)? {
        number if number > 0.0 && number < 1e9 => Ok(Some(Duration::from_secs_f64(number))),
        _ => Err(D::Error::custom("expected a number of seconds")),
    }
}

/// A test with settings of its own.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawTable {
    test: Spanned<String>,
    models: Option<Spanned<RawList>>,
    method: Option<Method>,
    #[serde(default, deserialize_with = "iterations")]
    max_unroll: Option<u32>,
    reuse_memory: Option<bool>,
    #[serde(default, deserialize_with = "seconds")]
    time_limit: Option<Duration>,
}

/// A test: its notation, or a table.
enum RawTest {
    Notation(String),
    Table(Box<RawTable>),
}

impl<'de> Deserialize<'de> for RawTest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = RawTest;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a test such as \"( e | d )\", or a table with a key `test`")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<RawTest, E> {
                Ok(RawTest::Notation(text.to_string()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RawTest, A::Error> {
                let table = RawTable::deserialize(MapAccessDeserializer::new(map))?;
                Ok(RawTest::Table(Box::new(table)))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// Several strings, or one by itself.
enum RawList {
    One(String),
    Many(Vec<Spanned<String>>),
}

impl<'de> Deserialize<'de> for RawList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = RawList;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string or a list of strings")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<RawList, E> {
                Ok(RawList::One(text.to_string()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<RawList, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(items)).map(RawList::Many)
            }
        }
        deserializer.deserialize_any(Either)
    }
}

fn not_a_suite(error: &toml::de::Error, file: FileId) -> Diagnostic {
    let message = in_words(error.message().trim_end_matches('.')).replace('\n', "; ");
    match error.span() {
        Some(Range { start, end }) => Diagnostic::error(Span::new(file, start, end), message),
        None => Diagnostic::general(message),
    }
}

/// The text of a suite, for the places in it.
struct Reader<'t> {
    text: &'t str,
    file: FileId,
}

impl Reader<'_> {
    fn string(&self, string: Spanned<String>) -> Text {
        let Range { start, end } = string.span();
        Text { text: string.into_inner(), span: Span::new(self.file, start, end) }
    }

    fn strings(&self, list: Spanned<RawList>) -> Vec<Text> {
        let range = list.span();
        match list.into_inner() {
            RawList::One(text) => vec![self.string(Spanned::new(range, text))],
            RawList::Many(strings) => strings.into_iter().map(|one| self.string(one)).collect(),
        }
    }

    fn test(
        &self,
        name: String,
        entry: Spanned<RawTest>,
        defaults: &Settings,
    ) -> Result<NamedTest, Diagnostic> {
        let range = entry.span();
        let (range, text, settings) = match entry.into_inner() {
            RawTest::Notation(text) => (range, text, defaults.clone()),
            RawTest::Table(table) => {
                let RawTable { test, models, method, max_unroll, reuse_memory, time_limit } =
                    *table;
                let own = Settings {
                    models: models.map(|models| self.strings(models)),
                    method,
                    max_unroll,
                    reuse_memory,
                    time_limit,
                };
                (test.span(), test.into_inner(), own.or(defaults))
            }
        };
        let span = Span::new(self.file, range.start, range.end);
        if let Cow::Owned(escaped) = one_line(&name) {
            let message = format!("the test name `{escaped}` has characters that cannot be shown");
            return Err(Diagnostic::error(span, message));
        }
        let test = self.notation(&text, range)?;
        Ok(NamedTest { name, span, test, settings })
    }

    /// Reads the notation of a test. Places in it are exact unless the string has escapes.
    fn notation(&self, text: &str, range: Range<usize>) -> Result<Test, Diagnostic> {
        let written = self.text.get(range.clone()).unwrap_or("");
        match written.find(text) {
            Some(quotes) => parse(text, Place { file: self.file, start: range.start + quotes }),
            None => {
                let whole = Span::new(self.file, range.start, range.end);
                let test = parse(text, Place { file: self.file, start: range.start });
                let mut test = test.map_err(|mut error| {
                    error.primary.iter_mut().for_each(|label| label.span = whole);
                    error.secondary.clear();
                    error
                })?;
                let calls = test.initial.iter_mut().chain(test.threads.iter_mut().flatten());
                calls.for_each(|call| call.span = whole);
                Ok(test)
            }
        }
    }
}

impl Settings {
    /// These settings, and those of `defaults` where these leave something open.
    pub fn or(self, defaults: &Settings) -> Settings {
        Settings {
            models: self.models.or_else(|| defaults.models.clone()),
            method: self.method.or(defaults.method),
            max_unroll: self.max_unroll.or(defaults.max_unroll),
            reuse_memory: self.reuse_memory.or(defaults.reuse_memory),
            time_limit: self.time_limit.or(defaults.time_limit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use execution::span::SourceMap;
    use report::Style;

    fn suite(text: &str) -> Result<Suite, String> {
        let mut sources = SourceMap::new();
        let file = sources.add_file("check.toml", text);
        Suite::parse(text, file)
            .map_err(|error| report::diagnostics::render(&error, &sources, Style::Plain))
    }

    const QUEUE: &str = r#"
files = ["msn_fenced.c", "msn_unfenced.c"]
define = "SIZE=2"
init = "set_up"
models = ["sc", "relaxed"]
time-limit = 1.5

[operations]
e = "enqueue_one"

[tests]
Tpc2 = "( e^2 | d^2 )"
T0 = "( e | d )"
T1 = { test = "( e | e | d | d )", models = ["sc"], max-unroll = 3, method = "commit-points" }
"#;

    #[test]
    fn a_suite_is_read() {
        let suite = suite(QUEUE).unwrap();
        let names: Vec<&str> = suite.tests.iter().map(|test| test.name.as_str()).collect();
        assert_eq!(names, ["Tpc2", "T0", "T1"], "in the order of the file");
        assert_eq!(suite.files[1].text, "msn_unfenced.c");
        assert_eq!(suite.define[0].text, "SIZE=2", "one by itself");
        assert_eq!(suite.operations.init.function, "set_up");
        assert_eq!(suite.operations.functions["e"].function, "enqueue_one");
        assert_eq!(suite.test("Tpc2").unwrap().test.to_string(), "( e e | d d )");
    }

    #[test]
    fn a_test_has_the_settings_of_the_suite_unless_it_has_its_own() {
        let suite = suite(QUEUE).unwrap();
        let models = |name: &str| {
            let settings = &suite.test(name).unwrap().settings;
            let models = settings.models.iter().flatten().map(|model| model.text.clone());
            (models.collect::<Vec<_>>(), settings.max_unroll, settings.time_limit, settings.method)
        };
        let both = vec!["sc".to_string(), "relaxed".to_string()];
        let limit = Some(Duration::from_millis(1500));
        assert_eq!(models("T0"), (both, None, limit, None));
        let method = Some(Method::CommitPoints);
        assert_eq!(models("T1"), (vec!["sc".to_string()], Some(3), limit, method));
    }

    #[test]
    fn places_of_operations_are_places_in_the_suite() {
        let suite = suite(QUEUE).unwrap();
        for test in &suite.tests {
            for call in test.test.threads.iter().flatten() {
                let (start, end) = (call.span.start as usize, call.span.end as usize);
                assert_eq!(&QUEUE[start..end], call.operation);
            }
        }
    }

    #[test]
    fn errors_in_a_suite_are_reported_at_their_place() {
        let texts = [
            "",
            "[tests]\nT0 = \"( e | )\"\n",
            "[tests]\nT0 = { test = \"( e\", models = [\"sc\"] }\n",
            "[tests]\nT0 = \"( e \\u007c )\"\n",
            "[tests]\nT0 = 7\n",
            "[tests]\nT0 = { notation = \"( e )\" }\n",
            "[tests]\nT0 = \"( e )\"\nT0 = \"( d )\"\n",
            "model = \"sc\"\n[tests]\nT0 = \"( e )\"\n",
            "method = \"linearizability\"\n[tests]\nT0 = \"( e )\"\n",
            "max-unroll = -1\n[tests]\nT0 = \"( e )\"\n",
            "max-unroll = 0\n[tests]\nT0 = \"( e )\"\n",
            "[tests]\nT0 = { test = \"( e )\", time-limit = 0 }\n",
            "files = 1\n[tests]\nT0 = \"( e )\"\n",
            "files = [1]\n[tests]\nT0 = \"( e )\"\n",
            "[tests\nT0 = \"( e )\"\n",
            "[tests]\n\"T\\u001b\" = \"( e )\"\n",
        ];
        let messages: Vec<String> = texts.iter().map(|text| suite(text).unwrap_err()).collect();
        insta::assert_snapshot!(messages.join("\n"));
    }
}
