//! The side that asks for calls of native functions: it keeps the helper process, and all answers.

use crate::foreign::OUT_OF_MEMORY;
use crate::helper::MEMORY;
use crate::protocol::{Answer, Request};
use ir::native::{CallsNative, NativeFunction, Scalar};
use ir::program::Width;
use ir::value::Value;
use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long a call may take.
const TIME: Duration = Duration::from_secs(2);
/// How long the helper may take to start.
const START: Duration = Duration::from_secs(20);
const POLL: Duration = Duration::from_millis(2);

/// Calls native functions, each with the same arguments once.
pub struct Host {
    helper: PathBuf,
    arguments: Vec<String>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    helper: Option<Helper>,
    known: HashMap<(NativeFunction, Vec<u64>), Result<u64, String>>,
    /// The functions that print, each as it was called.
    printing: BTreeSet<String>,
}

/// A helper that runs.
struct Helper {
    child: Child,
    stream: UnixStream,
    answers: BufReader<UnixStream>,
    /// What libraries print, and how much of it is known.
    printed: (File, u64),
    /// The folder of the socket.
    _folder: TempDir,
}

/// Why there is no answer.
enum Silence {
    /// None came in time.
    Late,
    /// The helper ended.
    Ended(Option<ExitStatus>),
    /// There is no helper.
    None(String),
}

impl Host {
    /// A host of helpers that are started by this command, with the path of a socket after these
    /// arguments ([`serve`](crate::serve)).
    pub fn new(helper: PathBuf, arguments: &[&str]) -> Self {
        let arguments = arguments.iter().map(|it| it.to_string()).collect();
        Self { helper, arguments, state: Mutex::default() }
    }

    /// An error if a function cannot be found.
    pub fn find(&self, function: &NativeFunction) -> Result<(), String> {
        let request = Request { function: function.clone(), arguments: None };
        match self.ask(&mut self.state(), &request) {
            Ok(Answer::Missing(why)) => Err(why),
            Ok(_) => Ok(()),
            Err(Silence::Late) => Err(format!("`{}` does not load in time", function.name)),
            Err(Silence::Ended(how)) => Err(format!("loading `{}` {}", function.name, ending(how))),
            Err(Silence::None(why)) => Err(why),
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // An answer is noted at once, so that what is known is right also after a panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask(&self, state: &mut State, request: &Request) -> Result<Answer, Silence> {
        let mut helper = match state.helper.take() {
            Some(helper) => helper,
            None => self.start().map_err(|why| {
                Silence::None(format!("cannot start the process that calls libraries: {why}"))
            })?,
        };
        match helper.ask(request) {
            Ok(answer) => {
                state.helper = Some(helper);
                Ok(answer)
            }
            Err(silence) => Err(helper.end(silence)),
        }
    }

    fn start(&self) -> std::io::Result<Helper> {
        let folder = tempfile::tempdir()?;
        let socket = folder.path().join("calls");
        let listener = UnixListener::bind(&socket)?;
        listener.set_nonblocking(true)?;
        let mut command = Command::new(&self.helper);
        command.args(&self.arguments).arg(&socket);
        let printed = File::create(folder.path().join("printed"))?;
        command.stdin(Stdio::null()).stdout(printed.try_clone()?).stderr(printed.try_clone()?);
        let mut child = command.spawn()?;
        let end = Instant::now() + START;
        loop {
            match listener.accept() {
                Ok((stream, _)) => {
                    stream.set_nonblocking(false)?;
                    stream.set_read_timeout(Some(TIME))?;
                    let answers = BufReader::new(stream.try_clone()?);
                    let printed = (printed, 0);
                    return Ok(Helper { child, stream, answers, printed, _folder: folder });
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
            if child.try_wait()?.is_some() || Instant::now() > end {
                let _ = child.kill();
                let _ = child.wait();
                return Err(std::io::Error::other("it does not answer"));
            }
            std::thread::sleep(POLL);
        }
    }
}

impl CallsNative for Host {
    fn call(&self, function: &NativeFunction, arguments: &[u64]) -> Result<u64, String> {
        let mut state = self.state();
        let key = (function.clone(), arguments.to_vec());
        if let Some(known) = state.known.get(&key) {
            return known.clone();
        }
        let request = Request { function: function.clone(), arguments: Some(arguments.to_vec()) };
        let what = described(function, arguments);
        let result = match self.ask(&mut state, &request) {
            Ok(Answer::Results(first, second)) if first == second => Ok(first),
            Ok(Answer::Results(first, second)) => {
                let [first, second] = [first, second].map(|bits| number(function.result, bits));
                Err(format!("{what} gave {first} and then {second}: it is not a function"))
            }
            Ok(Answer::Missing(why)) => Err(why),
            Ok(Answer::Exists) => Err(format!("{what} was not called")),
            Err(Silence::Late) => Err(format!("{what} did not return within {} s", TIME.as_secs())),
            Err(Silence::Ended(how)) => Err(format!("{what} {}", ending(how))),
            Err(Silence::None(why)) => Err(why),
        };
        if state.helper.as_mut().is_some_and(Helper::has_printed) {
            state.printing.insert(what);
        }
        state.known.insert(key, result.clone());
        result
    }

    fn remarks(&self) -> Vec<String> {
        let state = self.state();
        // One call of each function says it.
        let name = |call: &&String| call.split('(').next().unwrap_or_default().to_string();
        let mut seen = BTreeSet::new();
        let first = state.printing.iter().filter(|call| seen.insert(name(call)));
        first.map(|call| format!("{call} prints: what it writes is dropped")).collect()
    }
}

impl Helper {
    fn ask(&mut self, request: &Request) -> Result<Answer, Silence> {
        let sent = self.stream.write_all(request.line().as_bytes());
        let mut line = String::new();
        let got = sent.and_then(|()| self.answers.read_line(&mut line));
        match (got, Answer::of_line(&line)) {
            (Ok(_), Some(answer)) => Ok(answer),
            (Ok(_), None) => Err(Silence::Ended(None)),
            (Err(error), _) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::TimedOut => Err(Silence::Late),
                _ => Err(Silence::Ended(None)),
            },
        }
    }

    /// Whether a library has printed since this was last asked.
    fn has_printed(&mut self) -> bool {
        let (file, before) = &mut self.printed;
        let now = file.metadata().map_or(*before, |data| data.len());
        std::mem::replace(before, now) < now
    }

    /// How the helper has ended, if it does in time: a library may close what connects the two and
    /// go on.
    fn ended(&mut self) -> Option<ExitStatus> {
        let end = Instant::now() + TIME;
        while Instant::now() < end {
            match self.child.try_wait() {
                Ok(None) => std::thread::sleep(POLL),
                Ok(how) => return how,
                Err(_) => return None,
            }
        }
        None
    }

    /// Ends the helper; says how it ended, if it did so by itself.
    fn end(mut self, silence: Silence) -> Silence {
        match silence {
            Silence::Ended(_) => match self.ended() {
                Some(how) => Silence::Ended(Some(how)),
                None => self.end(Silence::Late),
            },
            late => {
                let _ = self.child.kill();
                let _ = self.child.wait();
                late
            }
        }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        if let Some(mut helper) = self.state().helper.take() {
            let _ = helper.child.kill();
            let _ = helper.child.wait();
        }
    }
}

/// How a process ended, after the name of what it did.
fn ending(how: Option<ExitStatus>) -> String {
    let names = [(4, "SIGILL"), (6, "SIGABRT"), (7, "SIGBUS"), (8, "SIGFPE"), (11, "SIGSEGV")];
    let signal = how.and_then(|status| status.signal());
    match (signal, how.and_then(|status| status.code())) {
        (Some(signal), _) => match names.iter().find(|(number, _)| *number == signal) {
            Some((_, name)) => format!("crashed ({name})"),
            None => format!("crashed (signal {signal})"),
        },
        (None, Some(OUT_OF_MEMORY)) => format!("ran out of memory ({} MiB)", MEMORY >> 20),
        (None, Some(code)) => format!("ended its process, with status {code}"),
        (None, None) => "ended its process".to_string(),
    }
}

/// `crc32(0, 7)`.
fn described(function: &NativeFunction, arguments: &[u64]) -> String {
    let name = function.name.rsplit_once(':').map_or(&*function.name, |(_, symbol)| symbol);
    let mut shown: Vec<String> = Vec::new();
    for (scalar, &bits) in function.parameters.iter().zip(arguments) {
        match (scalar, shown.last_mut()) {
            (Scalar::Byte { first: false }, Some(bytes)) => *bytes += &format!(" {bits:02x}"),
            (Scalar::Byte { .. }, _) => shown.push(format!("bytes {bits:02x}")),
            _ => shown.push(number(*scalar, bits)),
        }
    }
    format!("`{name}({})`", shown.join(", "))
}

fn number(scalar: Scalar, bits: u64) -> String {
    match scalar {
        Scalar::Float(Width::I32) => f32::from_bits(bits as u32).to_string(),
        Scalar::Float(_) => f64::from_bits(bits).to_string(),
        Scalar::Integer(width, true) => Value::int(width, u128::from(bits)).as_signed().to_string(),
        Scalar::Integer(..) | Scalar::Byte { .. } => bits.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_described_with_its_arguments_as_numbers() {
        let function = NativeFunction::of_signature("libm.so.6:f".into(), "f64(i32,u8,f64)");
        let function = function.expect("a signature");
        let arguments = [u64::MAX, 255, 1.5f64.to_bits()];
        assert_eq!(described(&function, &arguments), "`f(-1, 255, 1.5)`");
        let function = NativeFunction::of_signature("lib:sum".into(), "u8(p,b,u32)");
        let function = function.expect("a signature");
        assert_eq!(described(&function, &[1, 255, 2]), "`sum(bytes 01 ff, 2)`");
    }

    #[test]
    fn a_helper_that_does_not_answer_is_an_error() {
        let host = Host::new("/bin/true".into(), &[]);
        let function = NativeFunction::of_signature("lib:f".into(), "i32()").expect("a signature");
        let error = host.find(&function).expect_err("there is no helper");
        assert!(error.starts_with("cannot start the process"), "{error}");
        assert!(host.call(&function, &[]).is_err());
    }
}
