//! What a check of a test is to look for.

use crate::verification::Property;
use execution::finding::FindingKind;

/// The properties of a test that are asked about.
///
/// Soundness is not at stake: what is not asked about is looked for all the same where executions
/// end at it and nothing is known of what lies past it, and leaves the verdict open.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    only: Option<(bool, Vec<Property>)>,
}

impl Wanted {
    /// Only whether clients see an atomic data type, if so, and these properties.
    pub fn only(observations: bool, properties: Vec<Property>) -> Self {
        Self { only: Some((observations, properties)) }
    }

    /// Whether it is asked what clients see.
    pub fn observations(&self) -> bool {
        self.only.as_ref().is_none_or(|(observations, _)| *observations)
    }

    /// Whether a property is asked about.
    pub fn property(&self, property: Property) -> bool {
        self.only.as_ref().is_none_or(|(_, properties)| properties.contains(&property))
    }

    /// Whether a finding is asked about.
    pub fn finding(&self, kind: &FindingKind) -> bool {
        Property::of(kind).is_none_or(|property| self.property(property))
    }

    /// What an answer depends on, as text.
    pub fn text(&self) -> String {
        match &self.only {
            None => "all".to_string(),
            Some((observations, properties)) => {
                let names = properties.iter().map(|property| property.name());
                let atomic = observations.then_some("atomic");
                atomic.into_iter().chain(names).collect::<Vec<_>>().join(" ")
            }
        }
    }
}
