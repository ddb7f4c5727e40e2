//! What an execution showed to be wrong, with call stacks and the history of the object.
//!
//! Code of embedded headers (`<stdlib.h>`) is not what the user wrote: places are shown in the
//! innermost call that is the user's, and the header's function is named with it.

use crate::message::Message;
use execution::finding::DivisionError;
use execution::finding::{
    AccessInfo, Finding, FindingKind, Object, ObjectKind, StackEntry, ThreadName, ThreadPosition,
    UndefinedSource, Verb, WantedLock,
};
use execution::ids::Id;
use execution::span::Location;
use ir::program::public_name;

/// How many calls of a stack are shown.
const SHOWN_CALLS: usize = 12;

/// A finding as a message.
pub fn message(finding: &Finding) -> Message {
    let message = Message::error(title(finding));
    if matches!(finding.kind, FindingKind::Deadlock | FindingKind::Livelock) {
        let message = finding.waiting.iter().fold(message, waits);
        return takers(message, &finding.waiting);
    }
    let message = match user_place(&finding.stack) {
        Some(location) => message.at(location, label(finding)),
        None => message,
    };
    let message = message.note(format!("in {}", thread(&finding.thread)));
    let message = calls(message, &finding.stack);
    let message = match &finding.undefined_read {
        Some(read) if !same_line(&read.stack, &finding.stack) => undefined_read(message, read),
        _ => message,
    };
    match &finding.object {
        Some(object) => history(message, object),
        None => message,
    }
}

/// `thread P1 (worker)`.
pub fn thread(name: &ThreadName) -> String {
    match name.id.index() {
        0 if name.function == "main" => "the main thread".into(),
        _ => format!("thread {} (`{}`)", name.id, name.function),
    }
}

/// Where a thread was when the run was given up.
pub fn position(position: &ThreadPosition) -> String {
    let name = thread(&position.thread);
    let place = place(&position.stack);
    match &position.joins {
        Some(other) => format!("{name} waits for {} {place}", thread(other)),
        None => format!("{name} is running {place}"),
    }
}

/// `at queue.c:42`, or the function where no place is known.
pub fn place(stack: &[StackEntry]) -> String {
    match (user_place(stack), stack.first()) {
        (Some(location), _) => format!("at {}:{}", location.file, location.line),
        (None, Some(entry)) => format!("in `{}`", entry.function),
        (None, None) => "before the first instruction".into(),
    }
}

/// The innermost place that is not in an embedded header; else the innermost place.
pub fn user_place(stack: &[StackEntry]) -> Option<&Location> {
    user_entry(stack).and_then(|entry| entry.location.as_ref())
}

fn user_entry(stack: &[StackEntry]) -> Option<&StackEntry> {
    let has_place = |entry: &&StackEntry| entry.location.is_some();
    stack
        .iter()
        .filter(has_place)
        .find(|entry| entry.location.as_ref().is_some_and(|l| !l.is_library()))
        .or_else(|| stack.iter().find(has_place))
}

/// The function of an embedded header through which the user's code came there.
fn library_call(stack: &[StackEntry]) -> Option<&str> {
    let user = stack.iter().position(|entry| Some(entry) == user_entry(stack))?;
    let entry = &stack[user.checked_sub(1)?];
    let name = public_name(&entry.function);
    let Some(own) = name.trim_start_matches('_').strip_prefix("fp_") else { return Some(name) };
    // `__fp_memset_by_4` is a form of `memset`.
    Some(own.split_once("_by").map_or(own, |(public, _)| public))
}

/// What is wrong, in a line.
pub fn title(finding: &Finding) -> String {
    let for_lock = finding.waiting.iter().any(|position| position.lock.is_some());
    if finding.kind == FindingKind::Livelock && for_lock {
        return "threads wait for ever, for locks and in loops".into();
    }
    title_of(&finding.kind, finding.access.as_ref(), !finding.others.is_empty())
}

/// The same where no more is known than the kind, and perhaps the access. `some` is whether of a
/// deadlock some threads may go on all the same.
pub fn title_of(kind: &FindingKind, accessed: Option<&AccessInfo>, some: bool) -> String {
    let access = || accessed.map_or_else(|| "access".to_string(), access_name);
    match kind {
        FindingKind::Null => format!("{} through a null pointer", access()),
        FindingKind::Wild { address } => {
            format!("{} through {address:#x}, a number that is not a pointer", access())
        }
        FindingKind::OutOfBounds => format!("{} out of bounds", access()),
        FindingKind::IndexOutOfBounds { .. } => "index outside of an array".into(),
        FindingKind::UseAfterFree => format!("{} after its block was freed", access()),
        FindingKind::UseAfterReturn => format!("{} after its function has returned", access()),
        FindingKind::UseAfterThread => format!("{} after its thread has ended", access()),
        FindingKind::WriteToConstant => format!("{} although it is constant", access()),
        FindingKind::FunctionAsData => format!("{} in the code of a function", access()),
        FindingKind::Misaligned { .. } => format!("misaligned {}", access()),
        FindingKind::MisalignedAtomic { .. } => match accessed {
            Some(AccessInfo { verb: Verb::Update, .. }) => format!("misaligned {}", access()),
            _ => format!("misaligned atomic {}", access()),
        },
        FindingKind::DoubleFree => "block freed twice".into(),
        FindingKind::FreeOfNonHeap => "free of something that was not allocated".into(),
        FindingKind::FreeInsideBlock => "free of a pointer into the middle of a block".into(),
        FindingKind::CallOfNull => "call through a null pointer".into(),
        FindingKind::CallOfNonFunction => "call of something that is not a function".into(),
        FindingKind::BadCall(_) => "call through a pointer of the wrong function type".into(),
        FindingKind::StackOverflow => "stack overflow: too many nested calls".into(),
        FindingKind::UndefinedUse(what) => format!("{what} is undefined"),
        FindingKind::AssertionFailed(text) if text.is_empty() => "assertion failed".into(),
        FindingKind::AssertionFailed(text) => format!("assertion failed: {text}"),
        FindingKind::Misuse(text) => format!("the program breaks the rule that {text}"),
        FindingKind::NotSupported(text) => format!("not supported: {text}"),
        FindingKind::Trap(text) => format!("the program trapped: {text}"),
        FindingKind::Division(DivisionError::ByZero) => "division by zero".into(),
        FindingKind::Division(_) => "the quotient does not fit its type".into(),
        FindingKind::Overflow(what) if what == "shift" => {
            "shift by at least the width of the type".into()
        }
        FindingKind::Overflow(what) if what == "conversion" => {
            "a floating-point number does not fit the integer type".into()
        }
        FindingKind::Overflow(what) => format!("signed overflow in {what}"),
        FindingKind::UnbalancedAtomicSection => "begin and end of atomic sections differ".into(),
        FindingKind::TooLongToPrint => "more than a million characters in one print".into(),
        FindingKind::BadJoin => "join of something that is not a thread to be joined".into(),
        FindingKind::Deadlock if !some => "deadlock: all threads wait".into(),
        FindingKind::Deadlock => "deadlock: threads wait for ever, whatever others do".into(),
        FindingKind::Livelock => "a loop waits for ever".into(),
        FindingKind::Leak => "a block is never freed, and in the end nothing points to it".into(),
        FindingKind::LockHeld => "a lock is still held at the end".into(),
    }
}

fn same_line(a: &[StackEntry], b: &[StackEntry]) -> bool {
    let line = |stack| user_place(stack).map(|location| (&location.file, location.line));
    line(a) == line(b)
}

/// Where undefined bits were read.
fn undefined_read(message: Message, read: &UndefinedSource) -> Message {
    let Some(location) = user_place(&read.stack) else { return message };
    let title = match &read.access.path {
        Some(path) => format!("`{path}` was read here, and has undefined bits"),
        None => "undefined bits were read here".into(),
    };
    calls(message.section(title).at(location, ""), &read.stack)
}

/// "read of `q->tail`".
fn access_name(access: &AccessInfo) -> String {
    let (verb, preposition) = match access.verb {
        Verb::Read => ("read", "of"),
        Verb::Write => ("write", "to"),
        Verb::Update => ("atomic update", "of"),
        Verb::Free => ("free", "of"),
        Verb::Resize => ("resizing", "of"),
        Verb::Call => ("call", "of"),
    };
    match &access.path {
        Some(path) => format!("{verb} {preposition} `{path}`"),
        None => verb.into(),
    }
}

/// The words under the caret.
fn label(finding: &Finding) -> String {
    let mut words = match (&finding.kind, &finding.access, &finding.object) {
        (FindingKind::UndefinedUse(_), ..) => undefined_label(finding),
        (FindingKind::BadCall(why), ..) => why.clone(),
        (FindingKind::IndexOutOfBounds { length: 1 }, ..) => "the array has 1 element".into(),
        (FindingKind::IndexOutOfBounds { length }, ..) => {
            format!("the array has {length} elements")
        }
        (FindingKind::Misaligned { address, multiple }, ..) => {
            format!("the address {address:#x} is not a multiple of {}", bytes(*multiple))
        }
        (FindingKind::MisalignedAtomic { address }, Some(access), _) => {
            let size = bytes(access.size);
            format!("the address {address:#x} is not a multiple of {size}")
        }
        (_, Some(access), Some(object)) if access.size > 0 => {
            let what = match access.verb {
                Verb::Read => "reads",
                Verb::Write => "writes",
                _ => "reads and writes",
            };
            format!("{what} {} {}", bytes(access.size), position_in(object))
        }
        (FindingKind::FreeInsideBlock, _, Some(object)) => {
            format!("this is {}", position_in(object))
        }
        (_, _, Some(object)) => format!("this is {}", object_name(object)),
        _ => String::new(),
    };
    if let Some(function) = library_call(&finding.stack) {
        let inside = format!("in `{function}`");
        words = if words.is_empty() { inside } else { format!("{inside}: {words}") };
    }
    words
}

/// What is undefined: "`n->next`, at offset 8 (`.next`) of a heap block of 16 bytes".
fn undefined_label(finding: &Finding) -> String {
    let (Some(read), Some(object)) = (&finding.undefined_read, &finding.object) else {
        return String::new();
    };
    let position = position_in(object);
    match &read.access.path {
        Some(path) => format!("it comes from `{path}`, {position}"),
        None => format!("it comes from {} {position}", bytes(read.access.size)),
    }
}

fn bytes(count: u64) -> String {
    match count {
        1 => "1 byte".into(),
        n => format!("{n} bytes"),
    }
}

/// "at offset 8 (`.next`) of a heap block of 16 bytes".
fn position_in(object: &Object) -> String {
    let name = object_name(object);
    let size = object.size as i64;
    if object.offset < 0 {
        return format!("from {} before {name}", bytes(object.offset.unsigned_abs()));
    }
    if object.offset >= size {
        let past = bytes((object.offset - size) as u64);
        return match object.offset - size {
            0 => format!("just past the end of {name}"),
            _ => format!("from {past} past the end of {name}"),
        };
    }
    match (object.offset, object.member.as_str()) {
        (0, "") => format!("at the start of {name}"),
        (offset, "") => format!("at offset {offset} of {name}"),
        (offset, member) => format!("at offset {offset} (`{member}`) of {name}"),
    }
}

fn object_name(object: &Object) -> String {
    let size = bytes(object.size);
    let name = &object.name;
    match &object.kind {
        ObjectKind::Global => format!("the global `{name}` of {size}"),
        ObjectKind::Constant if name.starts_with('.') || name.is_empty() => {
            format!("a string literal of {size}")
        }
        ObjectKind::Constant => format!("the constant `{name}` of {size}"),
        ObjectKind::ThreadLocal(owner) => {
            format!("the thread-local `{name}` of {}, {size}", thread(owner))
        }
        ObjectKind::Local(function) if name.is_empty() => {
            format!("a temporary of `{function}`, {size}")
        }
        ObjectKind::Local(function) => format!("the local `{name}` of `{function}`, {size}"),
        ObjectKind::Heap => format!("a heap block of {size}"),
        ObjectKind::Function => format!("the function `{name}`"),
        ObjectKind::Argument => format!("an argument of `main`, {size}"),
    }
}

/// Where the object came from and where it went.
fn history(mut message: Message, object: &Object) -> Message {
    if let Some(location) = user_place(&object.origin) {
        let title = match object.kind {
            ObjectKind::Heap => "the block was allocated here",
            _ => "it is declared here",
        };
        message = message.section(title).at(location, "");
        if object.kind == ObjectKind::Heap {
            message = calls(message, &object.origin);
        }
    }
    if let Some((by, stack)) = &object.freed
        && let Some(location) = user_place(stack)
    {
        message = message.section(format!("and freed here, by {}", thread(by))).at(location, "");
        message = calls(message, stack);
    }
    message
}

fn waits(message: Message, position: &ThreadPosition) -> Message {
    let name = thread(&position.thread);
    let title = match &position.joins {
        Some(other) => format!("{name} waits for the end of {}", thread(other)),
        None if !position.loops => match &position.lock {
            Some(lock) => {
                format!("{name} waits here for `{}`{}", lock.name, held_by(lock, position))
            }
            None => format!("{name} waits here"),
        },
        None => {
            // All that it reads is its own, or not written once threads run.
            match position.reads.is_empty() {
                true => format!("{name} is in a loop for ever; it reads nothing that others write"),
                false => {
                    let reads = position.reads.join(", ");
                    format!("{name} waits in a loop, and reads {reads} for ever")
                }
            }
        }
    };
    let message = message.section(title);
    let Some(location) = user_place(&position.stack) else { return message };
    let inside = library_call(&position.stack).map(|function| format!("in `{function}`"));
    calls(message.at(location, inside.unwrap_or_default()), &position.stack)
}

/// ", which thread P1 (`f`) holds".
fn held_by(lock: &WantedLock, position: &ThreadPosition) -> String {
    let mut holders: Vec<&ThreadName> = lock.holders.iter().map(|(holder, _)| holder).collect();
    holders.sort_by_key(|holder| holder.id);
    holders.dedup();
    let name = |holder: &&ThreadName| match **holder == position.thread {
        true => "it".to_string(),
        false => thread(holder),
    };
    let names = holders.iter().map(name).collect::<Vec<_>>().join(" and ");
    match holders.as_slice() {
        [] => String::new(),
        [one] if **one == position.thread => ", which it holds itself".to_string(),
        [_] => format!(", which {names} holds"),
        _ => format!(", which {names} hold"),
    }
}

/// Where the locks were taken that threads wait for, each once.
fn takers(mut message: Message, waiting: &[ThreadPosition]) -> Message {
    let mut shown = Vec::new();
    let locks = waiting.iter().filter_map(|position| position.lock.as_ref());
    for (lock, (holder, stack)) in locks.flat_map(|l| l.holders.iter().map(move |h| (l, h))) {
        let Some(location) = user_place(stack) else { continue };
        let one = (&lock.name, holder, location);
        if shown.contains(&one) {
            continue;
        }
        shown.push(one);
        let title = format!("{} took `{}` here", thread(holder), lock.name);
        let inside = library_call(stack).map(|function| format!("in `{function}`"));
        message = message.section(title).at(location, inside.unwrap_or_default());
        message = calls(message, stack);
    }
    message
}

/// The calls that led there, if there were any; recursion takes one line.
fn calls(mut message: Message, stack: &[StackEntry]) -> Message {
    let user = user_entry(stack);
    let outer: Vec<&StackEntry> =
        stack.iter().skip_while(|entry| Some(*entry) != user).skip(1).collect();
    let mut groups = outer.chunk_by(|a, b| a == b);
    for group in groups.by_ref().take(SHOWN_CALLS) {
        let entry = group[0];
        let place = entry.location.as_ref().map(|location| format!(" at {location}"));
        let times =
            if group.len() > 1 { format!(", {} times", group.len()) } else { String::new() };
        let place = place.unwrap_or_default();
        message = message.note(format!("called from `{}`{place}{times}", entry.function));
    }
    match groups.map(<[_]>::len).sum::<usize>() {
        0 => message,
        more => message.note(format!("and {more} more calls")),
    }
}
