//! The same programs in the words of the Linux kernel: its accesses and barriers in the places of
//! C11's, and RCU in the place of one of the mutexes and of one kind of fence.

/// What the words of C11 become. An order is part of a macro's name, so it is not expanded.
const WORDS: &str = r#"#include <lkmm.h>
#define __atomic_load_n(p, o) load_##o(p)
#define load___ATOMIC_RELAXED(p) READ_ONCE(*(p))
#define load___ATOMIC_ACQUIRE(p) smp_load_acquire(p)
#define load___ATOMIC_SEQ_CST(p) (smp_mb(), READ_ONCE(*(p)))
#define __atomic_store_n(p, v, o) store_##o(p, v)
#define store___ATOMIC_RELAXED(p, v) WRITE_ONCE(*(p), v)
#define store___ATOMIC_RELEASE(p, v) smp_store_release(p, v)
#define store___ATOMIC_SEQ_CST(p, v) smp_store_mb(*(p), v)
#define __ORDER___ATOMIC_RELAXED "relaxed"
#define __ORDER___ATOMIC_ACQUIRE "acquire"
#define __ORDER___ATOMIC_RELEASE "release"
#define __ORDER___ATOMIC_ACQ_REL "full"
#define __ORDER___ATOMIC_SEQ_CST "full"
#define __atomic_fetch_add(p, v, o) __fp_atomic_fetch_add(p, v, __ORDER_##o)
#define __atomic_exchange_n(p, v, o) __fp_atomic_exchange(p, v, __ORDER_##o)
#define __atomic_compare_exchange_n(p, e, d, w, o, f) \
    (*(e) = __fp_atomic_cmpxchg(p, *(e), d, __ORDER_##o))
#define __atomic_thread_fence(o) fence_##o()
#define fence___ATOMIC_ACQUIRE() smp_rmb()
#define fence___ATOMIC_RELEASE() smp_wmb()
#define fence___ATOMIC_ACQ_REL() synchronize_rcu()
#define fence___ATOMIC_SEQ_CST() smp_mb()
"#;

/// A program in the kernel's words.
pub(super) fn in_its_words(text: &str) -> String {
    let text = text
        .replace("pthread_mutex_lock(&other)", "rcu_read_lock()")
        .replace("pthread_mutex_unlock(&other)", "rcu_read_unlock()")
        .replace("while (pthread_mutex_trylock(&other))\n", "rcu_read_lock();\n");
    match text.split_once("\n\n") {
        Some((includes, rest)) => format!("{includes}\n{WORDS}\n{rest}"),
        None => text,
    }
}
