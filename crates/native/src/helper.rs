//! The process that calls native functions: it answers one request after the other.

use crate::foreign::{Libraries, flush, watch_memory};
use crate::protocol::{Answer, Request};
use rustix::process::{Resource, Rlimit, setrlimit};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;

/// How much memory the process may have.
pub const MEMORY: u64 = 1 << 30;
/// How large a file it may write; it is known only that a library prints, not what.
const FILE: u64 = 1 << 20;

/// Answers the requests that come from a socket, until there are no more.
pub fn serve(socket: &Path) -> std::io::Result<()> {
    let limit = |most: u64| Rlimit { current: Some(most), maximum: Some(most) };
    setrlimit(Resource::As, limit(MEMORY))?;
    setrlimit(Resource::Core, limit(0))?;
    setrlimit(Resource::Fsize, limit(FILE))?;
    watch_memory();
    let mut stream = UnixStream::connect(socket)?;
    let mut requests = BufReader::new(stream.try_clone()?);
    let mut libraries = Libraries::default();
    let mut line = String::new();
    let own = rustix::process::getpid();
    while requests.read_line(&mut line)? > 0 {
        let answer = match Request::of_line(&line) {
            Some(request) => answer(&mut libraries, &request),
            None => Answer::Missing("this is not a request".to_string()),
        };
        flush();
        // A library that has forked returns here twice, and only one answer is awaited.
        if rustix::process::getpid() != own {
            return Ok(());
        }
        stream.write_all(answer.line().as_bytes())?;
        line.clear();
    }
    Ok(())
}

/// The answer to a request. A function is called twice, since it should give the same both times.
fn answer(libraries: &mut Libraries, Request { function, arguments }: &Request) -> Answer {
    let Some(arguments) = arguments else {
        return match libraries.find(&function.name) {
            Ok(_) => Answer::Exists,
            Err(why) => Answer::Missing(why),
        };
    };
    let mut call = || libraries.call(function, arguments);
    match (call(), call()) {
        (Ok(first), Ok(second)) => Answer::Results(first, second),
        (Err(why), _) | (_, Err(why)) => Answer::Missing(why),
    }
}
