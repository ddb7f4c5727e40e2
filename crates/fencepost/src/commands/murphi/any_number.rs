//! `fencepost murphi --cmp`: a model for any number of members of a scalarset.

use super::super::console::Console;
use super::super::exit;
use super::{counted, options, reason, steps};
use crate::cli::MurphiArgs;
use fencepost::compile::Rejected;
use fencepost::murphi::any_number::{
    AnyAnswer, AnyVerdict, Effort, NoProof, NotExcluded, check_any_number,
};
use fencepost::murphi::{Counts, Unknown};
use fencepost::watch::{Abandoned, Voice};
use limits::Exceeded;
use report::Style;
use report::diagnostics::render;
use report::printable::shown;
use std::sync::Mutex;
use std::time::Instant;

/// Executes the command and gives its exit code.
pub fn execute(args: &MurphiArgs, set: &str, console: &Console) -> u8 {
    let text = match execution::input::read(&args.file) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => {
            console.error(&format!("cannot read `{}`: {error}", shown(&args.file)));
            return exit::INPUT;
        }
    };
    let started = Instant::now();
    let (options, watch) = options(args);
    let (name, owned) = (args.file.display().to_string(), set.to_string());
    let done = watch.run(&|_| {}, move |voice: &Voice<Result<AnyAnswer, Box<Rejected>>>| {
        let voice = Mutex::new(voice.clone());
        let progress = |counts: Counts| {
            if let Ok(voice) = voice.lock() {
                voice.tell(counted(counts));
            }
        };
        check_any_number(&name, &text, &owned, &options, &progress)
    });
    let answer = match done {
        Ok(Ok(answer)) => answer,
        Ok(Err(rejected)) => {
            console.diagnostics(&rejected.diagnostics, &rejected.sources);
            return exit::INPUT;
        }
        Err(Abandoned { why, .. }) => unfinished(why),
    };
    let seconds = started.elapsed().as_secs_f64();
    match args.json {
        true => console.json(&document(args, set, &answer, seconds)),
        false => {
            console.painted_result(|style| details(&answer, style));
            console.result(&summary(args, set, &answer, seconds));
        }
    }
    match answer.verdict {
        AnyVerdict::Proved(_) => exit::HOLDS,
        AnyVerdict::Violated(..) => exit::VIOLATED,
        AnyVerdict::Unknown(_) => exit::INCONCLUSIVE,
    }
}

fn unfinished(why: Exceeded) -> AnyAnswer {
    let verdict = AnyVerdict::Unknown(NoProof::Limit(why));
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
        _ => String::new(),
    }
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
        NoProof::Refused(_) => "the model cannot be abstracted".to_string(),
        NoProof::Size(members, unknown) => {
            format!("with {members} members: {}", reason(unknown))
        }
        NoProof::Limit(why) => reason(&Unknown::Limit(*why)).to_string(),
    }
}

fn summary(args: &MurphiArgs, set: &str, answer: &AnyAnswer, seconds: f64) -> String {
    let file = shown(&args.file);
    let verdict = match &answer.verdict {
        AnyVerdict::Proved(Effort { tracked, views, configurations }) => format!(
            "proved for any number of members of {set} (deadlocks aside)\n{views} views of \
             {tracked}, {configurations} configurations of {}",
            tracked + 1
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

fn document(args: &MurphiArgs, set: &str, answer: &AnyAnswer, seconds: f64) -> String {
    let (verdict, detail) = match &answer.verdict {
        AnyVerdict::Proved(effort) => (
            "proved",
            serde_json::json!({
                "tracked": effort.tracked,
                "views": effort.views,
                "configurations": effort.configurations,
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
