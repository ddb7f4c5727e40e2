//! Hints for messages: which header defines a name, and which known name is close to a misspelt one.

use crate::headers::embedded;

/// The standard header that defines `name`, for names that people forget to include.
pub fn header_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "int8_t" | "int16_t" | "int32_t" | "int64_t" | "uint8_t" | "uint16_t" | "uint32_t"
        | "uint64_t" | "intptr_t" | "uintptr_t" | "intmax_t" | "uintmax_t" | "int_fast8_t"
        | "int_fast16_t" | "int_fast32_t" | "int_fast64_t" | "uint_fast8_t" | "uint_fast16_t"
        | "uint_fast32_t" | "uint_fast64_t" | "int_least8_t" | "int_least16_t"
        | "int_least32_t" | "int_least64_t" | "uint_least8_t" | "uint_least16_t"
        | "uint_least32_t" | "uint_least64_t" | "INT8_MAX" | "INT16_MAX" | "INT32_MAX"
        | "INT64_MAX" | "UINT8_MAX" | "UINT16_MAX" | "UINT32_MAX" | "UINT64_MAX" | "INT32_MIN"
        | "INT64_MIN" | "UINTPTR_MAX" | "INTPTR_MAX" | "SIZE_MAX" => "stdint.h",
        "bool" | "true" | "false" => "stdbool.h",
        "size_t" | "ptrdiff_t" | "wchar_t" | "max_align_t" | "NULL" | "offsetof" => "stddef.h",
        "assert" | "static_assert" => "assert.h",
        "malloc" | "calloc" | "realloc" | "free" | "aligned_alloc" | "posix_memalign" | "abort"
        | "exit" | "_Exit" | "atoi" | "atol" | "rand" | "srand" | "abs" | "labs"
        | "EXIT_SUCCESS" | "EXIT_FAILURE" => "stdlib.h",
        "printf" | "fprintf" | "snprintf" | "puts" | "putchar" | "fputs" | "stdout" | "stderr"
        | "FILE" => "stdio.h",
        "memcpy" | "memmove" | "memset" | "memcmp" | "strlen" | "strcmp" | "strncmp" | "strcpy"
        | "strncpy" | "strchr" => "string.h",
        "INT_MAX" | "INT_MIN" | "UINT_MAX" | "LONG_MAX" | "LONG_MIN" | "ULONG_MAX" | "CHAR_BIT"
        | "CHAR_MAX" | "CHAR_MIN" | "SHRT_MAX" | "SHRT_MIN" | "LLONG_MAX" | "ULLONG_MAX" => {
            "limits.h"
        }
        "errno" | "EBUSY" | "EINVAL" | "EAGAIN" | "ENOMEM" | "ETIMEDOUT" | "EDEADLK" => "errno.h",
        "sched_yield" => "sched.h",
        "ssize_t" | "usleep" | "sleep" | "write" => "unistd.h",
        "thrd_t" | "mtx_t" | "cnd_t" | "tss_t" | "once_flag" | "call_once" | "thread_local" => {
            "threads.h"
        }
        _ => {
            let of = |(prefix, _): &(&str, &str)| name.starts_with(prefix);
            let (_, header) = FAMILIES.into_iter().find(of)?;
            return mentions(header, name).then_some(header);
        }
    })
}

/// The headers with names that are too many to list, by how these begin.
const FAMILIES: [(&str, &str); 11] = [
    ("pthread_", "pthread.h"),
    ("PTHREAD_", "pthread.h"),
    ("thrd_", "threads.h"),
    ("mtx_", "threads.h"),
    ("cnd_", "threads.h"),
    ("tss_", "threads.h"),
    ("atomic_", "stdatomic.h"),
    ("memory_order", "stdatomic.h"),
    ("ATOMIC_", "stdatomic.h"),
    ("fp_", "fencepost.h"),
    ("PRI", "inttypes.h"),
];

/// Whether a name stands in an embedded header.
fn mentions(header: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let text = embedded(header).unwrap_or_default();
    text.split(|c| !is_part(c)).any(|word| word == name)
}

/// What <fencepost.h> calls something that was written with the prefix of its intrinsics: the
/// dialect of the papers has none.
pub fn without_prefix(name: &str) -> Option<&str> {
    let defined = |bare: &&str| {
        let start = format!("#define {bare}(");
        embedded("checkfence.h").is_some_and(|text| text.contains(&start))
    };
    name.strip_prefix("fp_").filter(defined)
}

/// Why what asks something of an operating system is not there.
pub const NO_SYSTEM: &str =
    "programs are checked without an operating system: only threads, memory and output";

/// Why a function of the standard library, of POSIX or of Linux is not there.
pub fn missing_function(name: &str) -> Option<&'static str> {
    Some(match name {
        "pthread_cancel" => "threads cannot be cancelled",
        "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" | "longjmp" | "_longjmp"
        | "siglongjmp" => "there are no jumps between functions",
        "signal" | "raise" | "kill" | "alarm" | "pause" | "sigaction" | "sigemptyset"
        | "sigfillset" | "sigaddset" | "sigdelset" | "sigismember" | "sigprocmask" | "sigwait"
        | "sigsuspend" | "pthread_sigmask" | "pthread_kill" => "there are no signals",
        "fork" | "vfork" | "wait" | "waitpid" | "execv" | "execve" | "execvp" | "execl"
        | "popen" | "system" => "there is one process",
        "fopen" | "fdopen" | "freopen" | "fclose" | "fread" | "fgets" | "fscanf" | "scanf"
        | "open" | "close" | "read" | "mmap" | "munmap" | "socket" => NO_SYSTEM,
        _ => return None,
    })
}

/// Why a standard header is not there.
pub fn missing_header(name: &str) -> Option<&'static str> {
    Some(match name {
        "complex.h" => "complex numbers are not supported",
        "fenv.h" => "floating-point numbers are always rounded to nearest",
        "tgmath.h" => "use the functions of <math.h>",
        "sys/signal.h" => "signals are not supported",
        "arm_neon.h" => "vector instructions are not supported",
        _ if name.starts_with("sys/") || name.starts_with("linux/") || name.starts_with("net") => {
            NO_SYSTEM
        }
        _ => return None,
    })
}

/// The known name closest to `name`, if one is close enough to have been meant.
pub fn similar<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > 64 {
        return None;
    }
    let allowed = (name.len() / 3).min(2);
    known
        .filter(|other| !other.starts_with("__") && other.len().abs_diff(name.len()) <= allowed)
        .map(|other| (distance(name.as_bytes(), other.as_bytes()), other))
        .filter(|&(distance, _)| distance <= allowed)
        .min()
        .map(|(_, other)| other)
}

/// The number of letters to insert, delete, replace or swap to get from `a` to `b` (optimal
/// string alignment).
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let replaced = above[j] + usize::from(a[i] != b[j]);
            let mut best = replaced.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forgotten_headers_are_known() {
        assert_eq!(header_of("uint32_t"), Some("stdint.h"));
        assert_eq!(header_of("atomic_fetch_add"), Some("stdatomic.h"));
        assert_eq!(header_of("pthread_mutex_t"), Some("pthread.h"));
        assert_eq!(header_of("PRIu64"), Some("inttypes.h"));
        assert_eq!(header_of("fp_choose"), Some("fencepost.h"));
        assert_eq!(header_of("node_t"), None);
    }

    #[test]
    fn a_header_is_named_only_if_it_has_the_name() {
        for name in ["fp_cas", "pthread_mutex_rest", "atomic_fetch_mul", "mtx_"] {
            assert_eq!(header_of(name), None, "{name}");
        }
        assert_eq!(without_prefix("fp_cas"), Some("cas"));
        assert_eq!(without_prefix("fp_choice"), None);
    }

    #[test]
    fn misspelt_names_find_their_neighbours() {
        let known = ["queue_t", "node_t", "value"];
        assert_eq!(similar("qeue_t", known.into_iter()), Some("queue_t"));
        assert_eq!(similar("vlaue", known.into_iter()), Some("value"));
        assert_eq!(similar("list_t", known.into_iter()), None);
        assert_eq!(similar("x", known.into_iter()), None);
    }
}
