//! One run of a command in a process of its own, with limits that the kernel enforces.
//!
//! The shell sets the limits and becomes the command, which is this program under its hidden name
//! for the command line. A process that exceeds its processor time is killed by a signal, whatever
//! else runs on the machine.

use std::path::Path;
use std::process::{Command, Output, Stdio};

/// What a process may use, and which program it is.
pub struct Limits<'a> {
    /// This program.
    pub executable: &'a Path,
    /// Address space in MiB.
    pub memory: u64,
    /// Processor seconds.
    pub seconds: u64,
}

/// How a process ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// With a status that the command documents.
    Status(i32),
    /// By a panic, an abort or another signal, or with a mistake of ours; which.
    Failed(String),
}

impl Limits<'_> {
    /// Runs the command line with these arguments in a folder.
    pub fn run(&self, folder: &Path, args: &[String]) -> Result<Output, String> {
        let kibibytes = self.memory * 1024;
        let script = format!("ulimit -v {kibibytes}; ulimit -t {}; exec \"$@\"", self.seconds);
        Command::new("sh")
            .args(["-c", &script, "sh"])
            .arg(self.executable)
            .arg("command-line")
            .args(args)
            .current_dir(folder)
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::null())
            .output()
            .map_err(|e| format!("sh: {e}"))
    }
}

/// How a process ended, by its status and by what it printed.
pub fn end(output: &Output, may_pass_on_status: bool) -> End {
    let errors = String::from_utf8_lossy(&output.stderr);
    let text = String::from_utf8_lossy(&output.stdout);
    let panic = errors.lines().find(|line| line.contains("panicked at"));
    let bug = [&text, &errors].iter().any(|text| text.contains("our bug"));
    match (output.status.code(), panic) {
        (_, Some(line)) => End::Failed(place(line)),
        (Some(_), None) if bug => End::Failed("a mistake of ours is reported".to_string()),
        (Some(code), None) if code <= 3 || may_pass_on_status => End::Status(code),
        (Some(code), None) => End::Failed(format!("status {code}")),
        (None, None) => End::Failed(signal(output)),
    }
}

/// Where a panic was: the same place is the same failure, whatever the message says.
fn place(line: &str) -> String {
    let at = line.split("panicked at").nth(1).unwrap_or_default();
    format!("panic at {}", at.trim().trim_end_matches(':'))
}

#[cfg(unix)]
fn signal(output: &Output) -> String {
    use std::os::unix::process::ExitStatusExt;
    match output.status.signal() {
        Some(24 | 9) => "hang: out of processor time".to_string(),
        Some(6) => "abort".to_string(),
        signal => format!("signal {}", signal.unwrap_or_default()),
    }
}

#[cfg(not(unix))]
fn signal(_: &Output) -> String {
    "killed".to_string()
}
