//! The embedded headers: the one table from a header's name to its text.

macro_rules! headers {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../headers/", $name)))),*]
    };
}

/// Every embedded header: the name inside `#include <…>` and its text.
pub const HEADERS: &[(&str, &str)] = headers! {
    "alloca.h"
    "assert.h"
    "checkfence.h"
    "ctype.h"
    "dat3m.h"
    "dirent.h"
    "emmintrin.h"
    "err.h"
    "errno.h"
    "fcntl.h"
    "features.h"
    "fencepost.h"
    "fencepost/await.h"
    "fencepost/copy.h"
    "fencepost/errno.h"
    "fencepost/format.h"
    "fencepost/glibc.h"
    "fencepost/lkmm_calls.h"
    "fencepost/lkmm_long.h"
    "fencepost/lkmm_once_first.h"
    "fencepost/lkmm_once_second.h"
    "fencepost/scan.h"
    "fencepost/thread_attributes.h"
    "float.h"
    "genmc.h"
    "getopt.h"
    "immintrin.h"
    "inttypes.h"
    "iso646.h"
    "limits.h"
    "linux/types.h"
    "lkmm.h"
    "locale.h"
    "malloc.h"
    "math.h"
    "memory.h"
    "poll.h"
    "pthread.h"
    "sched.h"
    "semaphore.h"
    "setjmp.h"
    "signal.h"
    "stdalign.h"
    "stdarg.h"
    "stdatomic.h"
    "stdbit.h"
    "stdbool.h"
    "stdckdint.h"
    "stddef.h"
    "stdint.h"
    "stdio.h"
    "stdlib.h"
    "stdnoreturn.h"
    "string.h"
    "strings.h"
    "sys/cdefs.h"
    "sys/mman.h"
    "sys/param.h"
    "sys/queue.h"
    "sys/random.h"
    "sys/syscall.h"
    "sys/time.h"
    "sys/types.h"
    "threads.h"
    "time.h"
    "uchar.h"
    "unistd.h"
    "wchar.h"
    "x86intrin.h"
    "xmmintrin.h"
};

/// The text of an embedded header.
pub fn embedded(name: &str) -> Option<&'static str> {
    HEADERS.iter().find(|(header, _)| *header == name).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::HEADERS;
    use crate::parse::parse;
    use crate::pp::{COptions, MemoryLoader, preprocess};
    use execution::span::SourceMap;
    use std::path::Path;

    #[test]
    fn every_header_can_be_included_alone_and_twice() {
        for (name, _) in HEADERS {
            let text = format!("#include <{name}>\n#include <{name}>\n");
            let loader = MemoryLoader::new().with("main.c", text);
            let mut map = SourceMap::new();
            let (tokens, diagnostics) =
                preprocess(Path::new("main.c"), &COptions::default(), &loader, &mut map);
            assert_eq!(diagnostics, [], "<{name}>");
            let (_, diagnostics) = parse(tokens, &map);
            assert_eq!(diagnostics, [], "<{name}>");
        }
    }
}
