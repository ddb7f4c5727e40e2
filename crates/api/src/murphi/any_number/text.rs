//! What is said of any number of members, in words.

use super::{
    AbstractExecution, AnyAnswer, AnyVerdict, CmpEffort, Effort, LemmaProof, NoProof, NotExcluded,
    ProvedBy, Stage,
};
use crate::murphi::Unknown;
use crate::murphi::text::{counted, reason, steps};
use execution::printable::shown;
use report::Style;
use report::diagnostics::render;
use std::path::Path;

/// What was asked.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The file of the model.
    pub file: &'a Path,
    /// The scalarset.
    pub set: &'a str,
    /// The file of lemmas, or how they are to be found.
    pub lemmas: Option<&'a Path>,
}

/// What is being done, in words.
pub fn doing(stage: Stage) -> String {
    match stage {
        Stage::Size(members, counts) => format!("with {members}: {}", counted(counts)),
        Stage::Views => "looking for a proof by views".to_string(),
        Stage::Lemmas(effort) => {
            let CmpEffort { tracked, rounds, mined, kept, states, .. } = effort;
            format!(
                "tracking {tracked}, round {rounds}: mined {mined}, kept {kept}, {states} abstract \
                 states"
            )
        }
    }
}

/// What a verdict rests on: a counterexample, an execution that is not excluded, lemmas.
pub fn details(answer: &AnyAnswer, style: Style) -> String {
    let message = |diagnostic| render(diagnostic, &answer.sources, style);
    match &answer.verdict {
        AnyVerdict::Violated(_, found) => {
            format!("{}\n\n{}", message(&found.diagnostic), steps(found))
        }
        AnyVerdict::Unknown(NoProof::Refused(why)) => message(why) + "\n\n",
        AnyVerdict::Unknown(NoProof::Alarm(alarm)) => {
            format!("{}\n\n{}\n", message(&alarm.diagnostic), configuration(alarm))
        }
        AnyVerdict::Unknown(NoProof::Execution(found)) => {
            let execution = report::transitions::render(&found.steps);
            format!("{}\n\n{}\n{execution}\n", message(&found.diagnostic), suspected(found))
        }
        AnyVerdict::Proved(ProvedBy::Lemmas(proof)) => lemmas(proof),
        _ => String::new(),
    }
}

/// What an abstract execution means.
fn suspected(found: &AbstractExecution) -> String {
    let tracked = match found.effort.tracked {
        1 => "one member".to_string(),
        count => format!("{count} members"),
    };
    let what = match found.is_lemma {
        true => "The lemma may hold, but it cannot be proved together with the others",
        false => "This is not known to be possible, but the lemmas do not exclude it",
    };
    format!("{what} ({tracked} and all others as one):\n")
}

/// The lemmas of a proof.
fn lemmas(proof: &LemmaProof) -> String {
    let mut text = String::new();
    if let Some(why) = &proof.instead_of_views {
        text += &format!("Views give no proof: {}\n\n", why.message);
    }
    if !proof.needed.is_empty() {
        let are = if proof.is_minimal { "needed" } else { "used" };
        text += &format!("The lemmas that are {are}:\n\n");
    }
    for lemma in &proof.needed {
        text += &format!("  {lemma}\n");
    }
    if text.is_empty() { text } else { text + "\n" }
}

/// What cannot be excluded, in words.
fn configuration(alarm: &NotExcluded) -> String {
    let members = match alarm.tracked + 1 {
        2 => "two members".to_string(),
        3 => "three members".to_string(),
        count => format!("{count} members"),
    };
    let mut text = format!(
        "This is not known to be reachable, but the abstraction cannot exclude it ({members} and \
         all others as one):\n"
    );
    for (name, value) in &alarm.variables {
        text += &format!("        {name} = {value}\n");
    }
    if let Some(rule) = &alarm.rule {
        text += &format!("      then {rule}\n");
    }
    text
}

pub(super) fn why(no_proof: &NoProof) -> String {
    match no_proof {
        NoProof::Alarm(_) => "the abstraction cannot exclude a violation".to_string(),
        NoProof::Execution(found) if found.is_lemma => "a lemma is not proved".to_string(),
        NoProof::Execution(_) => "the lemmas do not exclude a violation".to_string(),
        NoProof::Refused(_) => "the model cannot be abstracted".to_string(),
        NoProof::Size(members, unknown) => {
            format!("with {members} members: {}", reason(unknown))
        }
        NoProof::Limit(why, None) => reason(&Unknown::Limit(*why)).to_string(),
        NoProof::Limit(why, Some(effort)) => {
            format!("{}, {}", reason(&Unknown::Limit(*why)), doing(Stage::Lemmas(*effort)))
        }
    }
}

/// The verdict, and what it took.
pub fn summary(asked: Asked<'_>, answer: &AnyAnswer, seconds: f64) -> String {
    let Asked { file, set, .. } = asked;
    let file = shown(file);
    let verdict = match &answer.verdict {
        AnyVerdict::Proved(proof) => format!(
            "proved for any number of members of {set} (deadlocks aside)\n{}",
            effort(proof, asked)
        ),
        AnyVerdict::Violated(members, found) => {
            format!("VIOLATED ({}) with {set}: scalarset({members})", found.kind.name())
        }
        AnyVerdict::Unknown(no_proof) => format!("? ({})", why(no_proof)),
    };
    let mut explored = String::new();
    for size in &answer.explored {
        explored += &format!("holds with {}: {}\n", size.members, counted(size.counts));
    }
    format!("{explored}{file}: {verdict}; {seconds:.2} s\n")
}

/// What a proof took.
fn effort(proof: &ProvedBy, asked: Asked<'_>) -> String {
    match proof {
        ProvedBy::Views(Effort { tracked, views, configurations }) => format!(
            "by {views} views of {tracked}, {configurations} configurations of {}",
            tracked + 1
        ),
        ProvedBy::Lemmas(proof) => {
            let LemmaProof { effort, needed, .. } = &**proof;
            let CmpEffort { tracked, rounds, mined, kept, states, .. } = effort;
            let lemmas = match (asked.lemmas, rounds) {
                (Some(path), 0) if path.to_str() == Some("none") => "without lemmas".to_string(),
                (Some(path), 0) => format!("by the lemmas in {}", shown(path)),
                _ => format!(
                    "by {} lemmas ({mined} mined, {kept} kept, {rounds} round{})",
                    needed.len(),
                    if *rounds == 1 { "" } else { "s" }
                ),
            };
            format!("{lemmas}; {tracked} tracked, {states} abstract states")
        }
    }
}
