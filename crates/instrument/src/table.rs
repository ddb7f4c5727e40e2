//! The table of the places in a program's text: what the accesses there depend on, as numbers of
//! places, for the machines whose loads may be late.

use std::collections::BTreeSet;
use std::fmt::Write;

/// The loads of some places, by their numbers.
#[derive(Clone, Debug, Default)]
pub struct Loads {
    /// Places of which the last load counts.
    pub last: BTreeSet<usize>,
    /// Places of which the loads before the last count.
    pub older: BTreeSet<usize>,
}

/// What the loads, or the stores, of a place depend on.
#[derive(Clone, Debug, Default)]
pub struct Depends {
    /// By their addresses.
    pub address: Loads,
    /// By what they store.
    pub data: Loads,
    /// By the branches before them.
    pub control: Loads,
    /// By what they compare with.
    pub compared: Loads,
}

/// A place.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// Where it is, for the reader.
    pub line: String,
    /// What loads there depend on.
    pub load: Depends,
    /// What stores there depend on.
    pub store: Depends,
    /// The values that a load there may find although they are stored later.
    pub late: Vec<u128>,
}

/// How many values a load may find at most that are stored later.
pub fn most_values(places: &[Place]) -> usize {
    places.iter().map(|place| place.late.len()).max().unwrap_or(0).max(1)
}

/// The table; the places have the numbers from one on.
pub fn table(places: &[Place]) -> String {
    let mut text = format!("static const struct weak_site weak_sites[{}] = {{\n", places.len() + 1);
    for (number, place) in (1..).zip(places) {
        let mut parts = Vec::new();
        parts.extend(depends("load", &place.load));
        parts.extend(depends("store", &place.store));
        if !place.late.is_empty() {
            let values: Vec<String> = place.late.iter().map(|value| format!("{value}u")).collect();
            parts.push(format!(
                ".late = {}, .values = {{ {} }}",
                place.late.len(),
                values.join(", ")
            ));
        }
        if !parts.is_empty() {
            let _ =
                writeln!(text, "    [{number}] = {{ {} }}, /* {} */", parts.join(", "), place.line);
        }
    }
    text += "};\n";
    text
}

fn depends(name: &str, depends: &Depends) -> Option<String> {
    let kinds = [
        ("address", &depends.address),
        ("data", &depends.data),
        ("control", &depends.control),
        ("compared", &depends.compared),
    ];
    let parts: Vec<String> =
        kinds.into_iter().filter_map(|(kind, loads)| set(kind, loads)).collect();
    (!parts.is_empty()).then(|| format!(".{name} = {{ {} }}", parts.join(", ")))
}

fn set(kind: &str, loads: &Loads) -> Option<String> {
    let of = |numbers: &BTreeSet<usize>| match numbers.is_empty() {
        true => "0".to_string(),
        false => {
            let ones: Vec<String> =
                numbers.iter().map(|number| format!("weak_one({number})")).collect();
            ones.join(" | ")
        }
    };
    let empty = loads.last.is_empty() && loads.older.is_empty();
    (!empty).then(|| format!(".{kind} = {{ {}, {} }}", of(&loads.last), of(&loads.older)))
}
