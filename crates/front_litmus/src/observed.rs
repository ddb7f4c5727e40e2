//! What a test observes in the end: the places in its conditions and its list of locations.

use crate::condition::Ending;
use crate::test::{Observed, Place, Prop};

/// The registers of one thread that the test observes in the end, the filter included.
pub fn registers_of(ending: &Ending, thread: usize) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut add = |item: &Observed| {
        if let Observed::Single(Place::Register { thread: of, name, .. }) = item
            && *of == thread
            && !found.contains(name)
        {
            found.push(name.clone());
        }
    };
    ending.listed.iter().for_each(&mut add);
    let question = ending.question.as_ref().map(|question| &question.prop);
    for prop in ending.filter.iter().chain(question) {
        visit(prop, &mut add);
    }
    found
}

/// What a final state consists of: what is listed and what the question is about, registers
/// first, without repetitions.
pub fn observed(ending: &Ending) -> Vec<Observed> {
    let mut items = ending.listed.clone();
    if let Some(question) = &ending.question {
        visit(&question.prop, &mut |item| items.push(item.clone()));
    }
    items.sort_by_key(sort_key);
    items.dedup();
    items
}

fn sort_key(item: &Observed) -> (u8, usize, String, u64) {
    match item {
        Observed::Single(Place::Register { thread, name, .. }) => {
            let digits: String = name.chars().filter(char::is_ascii_digit).collect();
            let letters: String = name.chars().filter(|c| !c.is_ascii_digit()).collect();
            (0, *thread, letters, digits.parse().unwrap_or(0))
        }
        Observed::Single(Place::Cell { name, index, offset, .. }) => {
            (1, 0, name.clone(), index.unwrap_or(*offset))
        }
        Observed::Array { name, .. } => (1, 0, name.clone(), 0),
    }
}

/// Calls `found` with every place that a proposition mentions.
fn visit(prop: &Prop, found: &mut dyn FnMut(&Observed)) {
    match prop {
        Prop::Constant(_) => {}
        Prop::Equal(place, _) => found(&Observed::Single(place.clone())),
        Prop::Same(a, b) => {
            found(&Observed::Single(a.clone()));
            found(&Observed::Single(b.clone()));
        }
        Prop::ArrayEqual { name, elements } => {
            let elements = elements.iter().map(|(place, _)| place.clone()).collect();
            found(&Observed::Array { name: name.clone(), elements });
        }
        Prop::Not(prop) => visit(prop, found),
        Prop::And(props) | Prop::Or(props) => props.iter().for_each(|prop| visit(prop, found)),
        Prop::Implies(a, b) => {
            visit(a, found);
            visit(b, found);
        }
    }
}
