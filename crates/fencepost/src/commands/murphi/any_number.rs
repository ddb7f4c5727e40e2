//! `fencepost murphi --cmp`: a model for any number of members of a scalarset.

use super::super::console::Console;
use super::super::exit;
use super::super::progress::Display;
use super::{counted, options, reason, steps};
use crate::cli::MurphiArgs;
use fencepost::compile::Rejected;
use fencepost::murphi::Unknown;
use fencepost::murphi::any_number::{
    AbstractExecution, AnyAnswer, AnyVerdict, CmpEffort, Effort, LemmaProof, Method, NoProof,
    NotExcluded, ProvedBy, Stage, check_any_number,
};
use fencepost::watch::{Abandoned, Voice};
use limits::Exceeded;
use report::Style;
use report::diagnostics::render;
use report::printable::shown;
use std::cell::RefCell;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

/// Executes the command and gives its exit code.
pub fn execute(args: &MurphiArgs, set: &str, console: &Console) -> u8 {
    let read = |path: &Path| match execution::input::read(path) {
        Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) => {
            console.error(&format!("cannot read `{}`: {error}", shown(path)));
            None
        }
    };
    let Some(text) = read(&args.file) else { return exit::INPUT };
    let method = match args.lemmas.as_deref() {
        None => Method::Automatic,
        Some(path) => match path.to_str() {
            Some("views") => Method::Views,
            Some("mined") => Method::Mined,
            Some("none") => Method::Unrestricted,
            _ => match read(path) {
                Some(text) => Method::Lemmas(path.display().to_string(), text),
                None => return exit::INPUT,
            },
        },
    };
    let started = Instant::now();
    let answer = match ask(args, set, text, method) {
        Ok(answer) => answer,
        Err(rejected) => {
            console.diagnostics(&rejected.diagnostics, &rejected.sources);
            return exit::INPUT;
        }
    };
    let seconds = started.elapsed().as_secs_f64();
    match args.json {
        true => console.json(&document(args, set, &answer, seconds)),
        false => {
            console.painted_result(|style| details(&answer, style));
            console.result(&summary(args, set, &answer, seconds));
        }
    }
    if let Some(path) = &args.save_lemmas
        && !save(path, &answer, console)
    {
        return exit::INPUT;
    }
    match answer.verdict {
        AnyVerdict::Proved(_) => exit::HOLDS,
        AnyVerdict::Violated(..) => exit::VIOLATED,
        AnyVerdict::Unknown(_) => exit::INCONCLUSIVE,
    }
}

/// Writes the lemmas of a proof; whether that is possible.
fn save(path: &Path, answer: &AnyAnswer, console: &Console) -> bool {
    match &answer.verdict {
        AnyVerdict::Proved(ProvedBy::Lemmas(proof)) if proof.effort.rounds > 0 => {
            let written = std::fs::write(path, &proof.file);
            if let Err(error) = &written {
                console.error(&format!("cannot write `{}`: {error}", shown(path)));
            }
            written.is_ok()
        }
        AnyVerdict::Proved(_) => {
            console.message("note: no lemmas were mined, and none are saved");
            true
        }
        _ => true,
    }
}

fn ask(
    args: &MurphiArgs,
    set: &str,
    text: String,
    method: Method,
) -> Result<AnyAnswer, Box<Rejected>> {
    let (options, watch) = options(args);
    let (name, owned) = (args.file.display().to_string(), set.to_string());
    let display = RefCell::new(Display::new(1));
    let tell = |what: String| display.borrow_mut().show(&[Mutex::new(Some(what))]);
    let done = watch.run(&tell, move |voice: &Voice<Result<AnyAnswer, Box<Rejected>>>| {
        let voice = Mutex::new(voice.clone());
        let progress = |stage: Stage| {
            if let Ok(voice) = voice.lock() {
                voice.tell(doing(stage));
            }
        };
        check_any_number(&name, &text, &owned, &method, &options, &progress)
    });
    display.borrow().end();
    done.unwrap_or_else(|Abandoned { why, .. }| Ok(unfinished(why)))
}

/// What is being done, in words.
fn doing(stage: Stage) -> String {
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

fn unfinished(why: Exceeded) -> AnyAnswer {
    let verdict = AnyVerdict::Unknown(NoProof::Limit(why, None));
    AnyAnswer { verdict, explored: Vec::new(), sources: Default::default() }
}

fn details(answer: &AnyAnswer, style: Style) -> String {
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

fn why(no_proof: &NoProof) -> String {
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

fn summary(args: &MurphiArgs, set: &str, answer: &AnyAnswer, seconds: f64) -> String {
    let file = shown(&args.file);
    let verdict = match &answer.verdict {
        AnyVerdict::Proved(proof) => format!(
            "proved for any number of members of {set} (deadlocks aside)\n{}",
            effort(proof, args)
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
fn effort(proof: &ProvedBy, args: &MurphiArgs) -> String {
    match proof {
        ProvedBy::Views(Effort { tracked, views, configurations }) => format!(
            "by {views} views of {tracked}, {configurations} configurations of {}",
            tracked + 1
        ),
        ProvedBy::Lemmas(proof) => {
            let LemmaProof { effort, needed, .. } = &**proof;
            let CmpEffort { tracked, rounds, mined, kept, states, .. } = effort;
            let lemmas = match (&args.lemmas, rounds) {
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

fn document(args: &MurphiArgs, set: &str, answer: &AnyAnswer, seconds: f64) -> String {
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
        "file": args.file.display().to_string(),
        "type": set,
        "verdict": verdict,
        "detail": detail,
        "explored": answer.explored.iter().map(|size| size.members).collect::<Vec<_>>(),
        "seconds": seconds,
        "text": text,
    });
    serde_json::to_string_pretty(&document).expect("plain data without maps") + "\n"
}
