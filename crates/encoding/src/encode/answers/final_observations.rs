//! Final observations of the thread that terminates the program.

use crate::bounded::Observation;
use crate::encode::Encoding;
use crate::term::TermId;
use execution::event::ThreadId;
use ir::value::Value;
use sat::Lit;
use std::sync::Arc;

/// What a thread observes in one of the places in which it may end the program.
#[derive(Clone, Debug)]
pub struct FinalObservations {
    /// The thread.
    pub thread: ThreadId,
    /// Whether it reaches the end of that.
    pub made: Lit,
    values: Vec<(Arc<str>, TermId)>,
}

impl Encoding<'_> {
    /// Where observations are made with all of these labels, one after the other.
    pub fn final_observations(&mut self, labels: &[String]) -> Vec<FinalObservations> {
        let bounded = self.bounded.clone();
        let mut all = Vec::new();
        for thread in bounded.threads.ids() {
            let own = bounded.observations.iter().filter(|o| o.moment.thread == thread);
            let mut own: Vec<&Observation> = own.collect();
            own.sort_by_key(|observation| observation.moment.sequence);
            let mut rest = own.as_slice();
            while let Some(here) = rest.get(..labels.len()).filter(|here| !here.is_empty()) {
                let same = here.iter().zip(labels).all(|(own, label)| *own.label == **label);
                rest = &rest[if same { labels.len() } else { 1 }..];
                if same {
                    let made = self.reaches(&here[here.len() - 1].moment);
                    let values = here.iter().map(|own| (own.label.clone(), own.value)).collect();
                    all.push(FinalObservations { thread, made, values });
                }
            }
        }
        all
    }

    /// After a solution: what a thread observes that ends the program.
    pub fn final_values(&self, observed: &FinalObservations) -> Vec<(Arc<str>, Value)> {
        let value = |&term: &TermId| self.values.decode(&self.formula, term);
        observed.values.iter().map(|(label, term)| (label.clone(), value(term))).collect()
    }

    /// A literal that is true iff these are the values that a thread observes, if it does.
    pub fn final_values_are(&mut self, observed: &FinalObservations, values: &[i128]) -> Lit {
        let terms = observed.values.iter().map(|(_, term)| *term);
        let all: Vec<Lit> =
            terms.zip(values).map(|(term, value)| self.is_number(term, *value)).collect();
        self.formula.and(&all)
    }
}
