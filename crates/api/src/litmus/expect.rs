//! Recorded answers to litmus tests, and how ours compare with them.
//!
//! A CSV file has rows `file,model,quantifier,verdict,states,…`, of which the last columns may be
//! missing. Beside it there may be `states.jsonl.gz`, with one line
//! `{"file": …, "model": …, "states": […]}` per row: the final states in full.

use execution::input::{MAX_BYTES, read, read_text};
use execution::printable::shown;
use flate2::read::GzDecoder;
use models::library;
use oracle::litmus::Answer;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// One recorded answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The test's file, relative to the CSV file.
    pub file: String,
    /// The model as it was recorded: the name of a published cat file, or of one of ours.
    pub model: String,
    /// Always, Sometimes or Never; `None` where there is no recorded answer.
    pub verdict: Option<String>,
    /// The number of final states.
    pub count: Option<usize>,
    /// The final states, each a set of `place=value`.
    pub states: Option<BTreeSet<State>>,
}

/// What a recorded verdict may be.
const VERDICTS: [&str; 3] = ["Always", "Sometimes", "Never"];

/// A final state: its parts, in no particular order.
pub type State = BTreeSet<String>;

/// Reads the recorded answers.
pub fn read_rows(path: &Path) -> Result<Vec<Row>, String> {
    let text =
        read_text(path).map_err(|error| format!("cannot read `{}`: {error}", shown(path)))?;
    let mut lines = text.lines().enumerate();
    let header = lines.next().map_or(Vec::new(), |(_, line)| fields(line));
    let column = |name: &str| header.iter().position(|field| field == name);
    let needed = |name: &str| {
        column(name).ok_or_else(|| format!("`{}` has no column `{name}`", shown(path)))
    };
    let (file, model, verdict) = (needed("file")?, needed("model")?, needed("verdict")?);
    let count = column("states");
    let mut states = state_lists(&path.with_file_name("states.jsonl.gz"))?;
    let mut rows = Vec::new();
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let cells = fields(line);
        let cell = |index: usize| {
            let missing = || format!("{}:{}: too few columns", shown(path), number + 1);
            cells.get(index).cloned().ok_or_else(missing)
        };
        let wrong = |what: &str| format!("{}:{}: {what}", shown(path), number + 1);
        let (file, model) = (cell(file)?, cell(model)?);
        let verdict = Some(cell(verdict)?).filter(|verdict| !verdict.is_empty());
        if let Some(word) = verdict.as_ref().filter(|word| !VERDICTS.contains(&word.as_str())) {
            return Err(wrong(&format!(
                "`{word}` is not a verdict; expected {}",
                VERDICTS.join(", ")
            )));
        }
        let count = match count.and_then(|index| cells.get(index)).filter(|n| !n.is_empty()) {
            None => None,
            Some(cell) => Some(
                cell.parse().map_err(|_| wrong(&format!("`{cell}` is not a number of states")))?,
            ),
        };
        let states = states.remove(&(file.clone(), model.clone()));
        rows.push(Row { file, model, verdict, count, states });
    }
    Ok(rows)
}

/// Splits a line of CSV; a quoted field may contain commas and doubled quotes.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut characters = line.trim_end_matches('\r').chars().peekable();
    while let Some(c) = characters.next() {
        let field = fields.last_mut().expect("there is always a field");
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => field.push(c),
        }
    }
    fields
}

type Lists = BTreeMap<(String, String), BTreeSet<State>>;

fn state_lists(path: &Path) -> Result<Lists, String> {
    let mut lists = BTreeMap::new();
    if !path.exists() {
        return Ok(lists);
    }
    let broken = |why: String| format!("`{}`: {why}", shown(path));
    let bytes = read(path).map_err(|error| broken(error.to_string()))?;
    // A little of it may be a lot of text; what is cut off is not JSON.
    let text = GzDecoder::new(bytes.as_slice()).take(8 * MAX_BYTES);
    for line in BufReader::new(text).lines() {
        let line = line.map_err(|error| broken(error.to_string()))?;
        let value: serde_json::Value =
            serde_json::from_str(&line).map_err(|error| broken(error.to_string()))?;
        let text = |name: &str| value[name].as_str().map(str::to_string);
        let (Some(file), Some(model), Some(states)) =
            (text("file"), text("model"), value["states"].as_array())
        else {
            return Err(broken("a line lacks `file`, `model` or `states`".to_string()));
        };
        let states = states.iter().filter_map(|state| state.as_str()).map(parts).collect();
        lists.insert((file, model), states);
    }
    Ok(lists)
}

/// The parts of a printed state. The numbers of symbolic values (`S13`) mean nothing.
pub fn parts(state: &str) -> State {
    let normal = |part: &str| match part.split_once('=') {
        Some((place, value)) if is_symbol(value) => format!("{place}=S"),
        _ => part.to_string(),
    };
    state.split(';').map(str::trim).filter(|part| !part.is_empty()).map(normal).collect()
}

fn is_symbol(value: &str) -> bool {
    value.strip_prefix('S').is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()))
}

/// The model of our library that answers for a recorded one.
pub fn our_model(recorded: &str) -> Option<&'static str> {
    library::ENTRIES
        .iter()
        .find(|entry| entry.name == recorded || entry.published.contains(&recorded))
        .map(|entry| entry.name)
}

/// Whether an answer that leaves out what loops do past their bound contradicts a recorded one
/// all the same: it has a final state that is not recorded. That one is missing proves nothing.
pub fn contradicts(row: &Row, answer: &Answer) -> bool {
    let ours: BTreeSet<State> = answer.states.iter().map(|state| parts(&state.text)).collect();
    let unknown = row.states.as_ref().is_some_and(|recorded| !ours.is_subset(recorded));
    unknown || row.count.is_some_and(|recorded| ours.len() > recorded)
}

/// How our answer differs from a recorded one; nothing if it does not.
pub fn differences(row: &Row, answer: &Answer) -> Vec<String> {
    let mut found = Vec::new();
    let verdict = answer.observation().to_string();
    if let Some(recorded) = row.verdict.as_ref().filter(|recorded| **recorded != verdict) {
        found.push(format!("verdict {verdict}, recorded {recorded}"));
    }
    let ours: BTreeSet<State> = answer.states.iter().map(|state| parts(&state.text)).collect();
    if let Some(recorded) = row.count.filter(|recorded| *recorded != ours.len()) {
        found.push(format!("{} states, recorded {recorded}", ours.len()));
    }
    if let Some(recorded) = &row.states {
        for (these, those, what) in [(&ours, recorded, "only ours"), (recorded, &ours, "not ours")]
        {
            let extra: Vec<String> = these.difference(those).map(line).collect();
            if let Some(first) = extra.first() {
                let more = extra.len() - 1;
                let more = if more == 0 { String::new() } else { format!(" and {more} more") };
                found.push(format!("{what}: {first}{more}"));
            }
        }
    }
    found
}

fn line(state: &State) -> String {
    state.iter().map(|part| format!("{part};")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_fields_may_hold_commas() {
        assert_eq!(fields("a,\"b,\"\"c\"\"\",,d\r"), ["a", "b,\"c\"", "", "d"]);
    }

    #[test]
    fn cells_that_cannot_be_read_are_errors_at_their_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.csv");
        let message = |row: &str| {
            std::fs::write(&path, format!("file,model,verdict,states\na,tso,Never,1\n{row}\n"))
                .unwrap();
            read_rows(&path).unwrap_err().rsplit_once("rows.csv").unwrap().1.to_string()
        };
        assert_eq!(
            message("b,tso,Maybe,2"),
            ":3: `Maybe` is not a verdict; expected Always, Sometimes, Never"
        );
        assert_eq!(message("b,tso,Never,many"), ":3: `many` is not a number of states");
        assert_eq!(message("b,tso"), ":3: too few columns");
    }

    #[test]
    fn symbolic_values_are_all_the_same() {
        assert_eq!(parts("0:r1=S13; [x]=1;"), parts("[x]=1; 0:r1=S4;"));
        assert_ne!(parts("0:r1=S13;"), parts("0:r1=13;"));
    }

    #[test]
    fn published_models_are_answered_by_ours() {
        assert_eq!(our_model("x86tso.cat"), Some("tso"));
        assert_eq!(our_model("power"), Some("power"));
        assert_eq!(our_model("nobody.cat"), None);
    }
}
