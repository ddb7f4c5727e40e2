//! What is said of any number of members, as JSON.

use super::text::{Asked, details, why};
use super::{AnyAnswer, AnyVerdict, ProvedBy};
use report::Style;

/// An answer as a document.
pub fn document(asked: Asked<'_>, answer: &AnyAnswer, seconds: f64) -> String {
    let (verdict, detail) = match &answer.verdict {
        AnyVerdict::Proved(ProvedBy::Views(effort)) => (
            "proved",
            serde_json::json!({
                "tracked": effort.tracked,
                "views": effort.views,
                "configurations": effort.configurations,
            }),
        ),
        AnyVerdict::Proved(ProvedBy::Lemmas(proof)) => (
            "proved",
            serde_json::json!({
                "tracked": proof.effort.tracked,
                "rounds": proof.effort.rounds,
                "mined": proof.effort.mined,
                "kept": proof.effort.kept,
                "lemmas": proof.needed,
                "minimal": proof.is_minimal,
                "states": proof.effort.states,
            }),
        ),
        AnyVerdict::Violated(members, found) => {
            ("violated", serde_json::json!({ "members": members, "kind": found.kind.name() }))
        }
        AnyVerdict::Unknown(no_proof) => {
            ("unknown", serde_json::json!({ "reason": why(no_proof) }))
        }
    };
    let text = details(answer, Style::Plain);
    let document = serde_json::json!({
        "fencepost": env!("CARGO_PKG_VERSION"),
        "file": asked.file.display().to_string(),
        "type": asked.set,
        "verdict": verdict,
        "detail": detail,
        "explored": answer.explored.iter().map(|size| size.members).collect::<Vec<_>>(),
        "seconds": seconds,
        "text": text,
    });
    serde_json::to_string_pretty(&document).expect("plain data without maps") + "\n"
}
