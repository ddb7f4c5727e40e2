/* <lkmm.h>: the names of the Linux kernel's atomics, barriers, locks and RCU, as its documentation
   (atomic_t.txt, memory-barriers.txt, tools/memory-model) explains them.

   Under the kernel's own model each is what a litmus test has under the same name. Under all other
   models an access has the memory order that is nearest, full barriers are sequentially consistent
   fences, and smp_rmb and smp_wmb order nothing but loads and nothing but stores, which no C11
   fence does, so C11 models refuse them. RCU is for the kernel's own model only.

   Words in quotes are those of the builtins: an order of the kernel, or its name for a fence. */
#pragma once

#include <pthread.h>

#define READ_ONCE(object) __fp_atomic_load(&(object), "once")
#define WRITE_ONCE(object, value) __fp_atomic_store(&(object), (value), "once")
#define smp_load_acquire(pointer) __fp_atomic_load((pointer), "acquire")
#define smp_store_release(pointer, value) __fp_atomic_store((pointer), (value), "release")
#define data_race(expression) (expression)

#define barrier() __atomic_signal_fence(__ATOMIC_SEQ_CST)
#define smp_mb() __fp_fence("mb")
#define smp_rmb() __fp_fence("rmb")
#define smp_wmb() __fp_fence("wmb")
#define smp_mb__before_atomic() __fp_fence("before-atomic")
#define smp_mb__after_atomic() __fp_fence("after-atomic")
#define smp_mb__after_spinlock() __fp_fence("after-spinlock")
#define smp_mb__after_unlock_lock() __fp_fence("after-unlock-lock")
#define smp_store_mb(object, value) do { WRITE_ONCE(object, value); smp_mb(); } while (0)
#define cpu_relax() __fp_yield()

/* Reads until the condition holds, in which VAL is what was read. */
#define __fp_kernel_wait(pointer, condition, order)                 \
    ({                                                              \
        __typeof__(*(pointer)) VAL;                                 \
        while (VAL = __fp_atomic_load((pointer), order), !(condition)) \
            cpu_relax();                                            \
        VAL;                                                        \
    })
#define smp_cond_load_relaxed(pointer, condition) __fp_kernel_wait(pointer, condition, "once")
#define smp_cond_load_acquire(pointer, condition) __fp_kernel_wait(pointer, condition, "acquire")

#define BUG_ON(condition) __fp_assert(!(condition), "BUG_ON: " #condition)
/* Not a macro: many programs ask whether BUG is one, to have a bug or not. */
#ifndef BUG
static inline _Noreturn void BUG(void) {
    __fp_trap("BUG() was reached");
}
#endif
#define WARN_ON(condition) \
    ({ \
        _Bool __fp_warns = !!(condition); \
        __fp_assert(!__fp_warns, "WARN_ON: " #condition); \
        __fp_warns; \
    })
#define WARN_ON_ONCE(condition) WARN_ON(condition)

#ifndef likely
#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)
#endif

/* ---- exchanges ---- */

/* What is not said to be weaker, and gives a value, is ordered with everything around it. */
#define xchg(pointer, value) __fp_atomic_exchange((pointer), (value), "full")
#define xchg_relaxed(pointer, value) __fp_atomic_exchange((pointer), (value), "relaxed")
#define xchg_acquire(pointer, value) __fp_atomic_exchange((pointer), (value), "acquire")
#define xchg_release(pointer, value) __fp_atomic_exchange((pointer), (value), "release")

/* A compare-and-exchange gives what it found; one that fails orders nothing. */
#define cmpxchg(pointer, old, new) __fp_atomic_cmpxchg((pointer), (old), (new), "full")
#define cmpxchg_relaxed(pointer, old, new) __fp_atomic_cmpxchg((pointer), (old), (new), "relaxed")
#define cmpxchg_acquire(pointer, old, new) __fp_atomic_cmpxchg((pointer), (old), (new), "acquire")
#define cmpxchg_release(pointer, old, new) __fp_atomic_cmpxchg((pointer), (old), (new), "release")

/* This one says whether it has written, and puts what it found where the old value was. */
#define __fp_kernel_try(pointer, at, new, order)                                       \
    ({                                                                                 \
        __typeof__(*(pointer)) *__fp_at = (at);                                        \
        __typeof__(*(pointer)) __fp_old = *__fp_at;                                    \
        *__fp_at = __fp_atomic_cmpxchg((pointer), __fp_old, (new), order);             \
        *__fp_at == __fp_old;                                                          \
    })
#define try_cmpxchg(pointer, at, new) __fp_kernel_try(pointer, at, new, "full")
#define try_cmpxchg_relaxed(pointer, at, new) __fp_kernel_try(pointer, at, new, "relaxed")
#define try_cmpxchg_acquire(pointer, at, new) __fp_kernel_try(pointer, at, new, "acquire")
#define try_cmpxchg_release(pointer, at, new) __fp_kernel_try(pointer, at, new, "release")

/* ---- atomic_t ---- */

typedef struct {
    int counter;
} atomic_t;

#define ATOMIC_INIT(value) { (value) }
#define atomic_read(object) READ_ONCE((object)->counter)
#define atomic_set(object, value) WRITE_ONCE((object)->counter, (value))
#define atomic_read_acquire(object) smp_load_acquire(&(object)->counter)
#define atomic_set_release(object, value) smp_store_release(&(object)->counter, (value))
#define atomic_cond_read_relaxed(object, condition) \
    smp_cond_load_relaxed(&(object)->counter, condition)
#define atomic_cond_read_acquire(object, condition) \
    smp_cond_load_acquire(&(object)->counter, condition)

#define __fp_kernel_fetch(op, value, object, order) \
    __fp_atomic_fetch_##op(&(object)->counter, (value), order)
#define atomic_add(value, object) ((void)__fp_kernel_fetch(add, value, object, "noreturn"))
#define atomic_sub(value, object) ((void)__fp_kernel_fetch(sub, value, object, "noreturn"))
#define atomic_and(value, object) ((void)__fp_kernel_fetch(and, value, object, "noreturn"))
#define atomic_or(value, object) ((void)__fp_kernel_fetch(or, value, object, "noreturn"))
#define atomic_xor(value, object) ((void)__fp_kernel_fetch(xor, value, object, "noreturn"))
#define atomic_andnot(value, object) atomic_and(~(value), object)
#define atomic_inc(object) atomic_add(1, object)
#define atomic_dec(object) atomic_sub(1, object)

#define atomic_fetch_add(value, object) __fp_kernel_fetch(add, value, object, "full")
#define atomic_fetch_add_relaxed(value, object) __fp_kernel_fetch(add, value, object, "relaxed")
#define atomic_fetch_add_acquire(value, object) __fp_kernel_fetch(add, value, object, "acquire")
#define atomic_fetch_add_release(value, object) __fp_kernel_fetch(add, value, object, "release")
#define atomic_fetch_sub(value, object) __fp_kernel_fetch(sub, value, object, "full")
#define atomic_fetch_sub_relaxed(value, object) __fp_kernel_fetch(sub, value, object, "relaxed")
#define atomic_fetch_sub_acquire(value, object) __fp_kernel_fetch(sub, value, object, "acquire")
#define atomic_fetch_sub_release(value, object) __fp_kernel_fetch(sub, value, object, "release")
#define atomic_fetch_and(value, object) __fp_kernel_fetch(and, value, object, "full")
#define atomic_fetch_and_relaxed(value, object) __fp_kernel_fetch(and, value, object, "relaxed")
#define atomic_fetch_and_acquire(value, object) __fp_kernel_fetch(and, value, object, "acquire")
#define atomic_fetch_and_release(value, object) __fp_kernel_fetch(and, value, object, "release")
#define atomic_fetch_or(value, object) __fp_kernel_fetch(or, value, object, "full")
#define atomic_fetch_or_relaxed(value, object) __fp_kernel_fetch(or, value, object, "relaxed")
#define atomic_fetch_or_acquire(value, object) __fp_kernel_fetch(or, value, object, "acquire")
#define atomic_fetch_or_release(value, object) __fp_kernel_fetch(or, value, object, "release")
#define atomic_fetch_xor(value, object) __fp_kernel_fetch(xor, value, object, "full")
#define atomic_fetch_xor_relaxed(value, object) __fp_kernel_fetch(xor, value, object, "relaxed")
#define atomic_fetch_xor_acquire(value, object) __fp_kernel_fetch(xor, value, object, "acquire")
#define atomic_fetch_xor_release(value, object) __fp_kernel_fetch(xor, value, object, "release")
#define atomic_fetch_andnot(value, object) atomic_fetch_and(~(value), object)
#define atomic_fetch_inc(object) atomic_fetch_add(1, object)
#define atomic_fetch_dec(object) atomic_fetch_sub(1, object)
#define atomic_fetch_andnot_relaxed(value, object) atomic_fetch_and_relaxed(~(value), object)
#define atomic_fetch_inc_relaxed(object) atomic_fetch_add_relaxed(1, object)
#define atomic_fetch_dec_relaxed(object) atomic_fetch_sub_relaxed(1, object)
#define atomic_fetch_andnot_acquire(value, object) atomic_fetch_and_acquire(~(value), object)
#define atomic_fetch_inc_acquire(object) atomic_fetch_add_acquire(1, object)
#define atomic_fetch_dec_acquire(object) atomic_fetch_sub_acquire(1, object)
#define atomic_fetch_andnot_release(value, object) atomic_fetch_and_release(~(value), object)
#define atomic_fetch_inc_release(object) atomic_fetch_add_release(1, object)
#define atomic_fetch_dec_release(object) atomic_fetch_sub_release(1, object)

#define atomic_add_return(value, object) (atomic_fetch_add(value, object) + (value))
#define atomic_sub_return(value, object) (atomic_fetch_sub(value, object) - (value))
#define atomic_inc_return(object) atomic_add_return(1, object)
#define atomic_dec_return(object) atomic_sub_return(1, object)
#define atomic_add_return_relaxed(value, object) (atomic_fetch_add_relaxed(value, object) + (value))
#define atomic_sub_return_relaxed(value, object) (atomic_fetch_sub_relaxed(value, object) - (value))
#define atomic_inc_return_relaxed(object) atomic_add_return_relaxed(1, object)
#define atomic_dec_return_relaxed(object) atomic_sub_return_relaxed(1, object)
#define atomic_add_return_acquire(value, object) (atomic_fetch_add_acquire(value, object) + (value))
#define atomic_sub_return_acquire(value, object) (atomic_fetch_sub_acquire(value, object) - (value))
#define atomic_inc_return_acquire(object) atomic_add_return_acquire(1, object)
#define atomic_dec_return_acquire(object) atomic_sub_return_acquire(1, object)
#define atomic_add_return_release(value, object) (atomic_fetch_add_release(value, object) + (value))
#define atomic_sub_return_release(value, object) (atomic_fetch_sub_release(value, object) - (value))
#define atomic_inc_return_release(object) atomic_add_return_release(1, object)
#define atomic_dec_return_release(object) atomic_sub_return_release(1, object)

#define atomic_sub_and_test(value, object) (atomic_sub_return(value, object) == 0)
#define atomic_dec_and_test(object) (atomic_dec_return(object) == 0)
#define atomic_inc_and_test(object) (atomic_inc_return(object) == 0)
#define atomic_add_negative(value, object) (atomic_add_return(value, object) < 0)

#define atomic_xchg(object, value) xchg(&(object)->counter, value)
#define atomic_cmpxchg(object, old, new) cmpxchg(&(object)->counter, old, new)
#define atomic_try_cmpxchg(object, at, new) try_cmpxchg(&(object)->counter, at, new)
#define atomic_xchg_relaxed(object, value) xchg_relaxed(&(object)->counter, value)
#define atomic_cmpxchg_relaxed(object, old, new) cmpxchg_relaxed(&(object)->counter, old, new)
#define atomic_try_cmpxchg_relaxed(object, at, new) try_cmpxchg_relaxed(&(object)->counter, at, new)
#define atomic_xchg_acquire(object, value) xchg_acquire(&(object)->counter, value)
#define atomic_cmpxchg_acquire(object, old, new) cmpxchg_acquire(&(object)->counter, old, new)
#define atomic_try_cmpxchg_acquire(object, at, new) try_cmpxchg_acquire(&(object)->counter, at, new)
#define atomic_xchg_release(object, value) xchg_release(&(object)->counter, value)
#define atomic_cmpxchg_release(object, old, new) cmpxchg_release(&(object)->counter, old, new)
#define atomic_try_cmpxchg_release(object, at, new) try_cmpxchg_release(&(object)->counter, at, new)

/* Adds to what is found unless a condition holds of it; gives what it found. */
#define __fp_kernel_add_unless(object, value, condition)                             \
    ({                                                                               \
        __typeof__((object)->counter) *__fp_to = &(object)->counter;                 \
        __typeof__(*__fp_to) __fp_value = (value);                                   \
        __typeof__(*__fp_to) __fp_found = __fp_atomic_load(__fp_to, "failed");       \
        while (!(condition)) {                                                       \
            __typeof__(*__fp_to) __fp_now =                                          \
                __fp_atomic_cmpxchg(__fp_to, __fp_found, __fp_found + __fp_value, "full"); \
            if (__fp_now == __fp_found) break;                                       \
            __fp_found = __fp_now;                                                   \
        }                                                                            \
        __fp_found;                                                                  \
    })
#define atomic_fetch_add_unless(object, value, unless) \
    __fp_kernel_add_unless(object, value, __fp_found == (unless))
#define atomic_add_unless(object, value, unless) \
    (atomic_fetch_add_unless(object, value, unless) != (unless))
#define atomic_inc_not_zero(object) atomic_add_unless((object), 1, 0)
#define atomic_inc_unless_negative(object) (__fp_kernel_add_unless(object, 1, __fp_found < 0) >= 0)
#define atomic_dec_unless_positive(object) (__fp_kernel_add_unless(object, -1, __fp_found > 0) <= 0)
#define atomic_dec_if_positive(object) (__fp_kernel_add_unless(object, -1, __fp_found <= 0) - 1)

#include <fencepost/lkmm_long.h>

/* ---- locks ---- */

typedef pthread_spinlock_t spinlock_t;
typedef spinlock_t raw_spinlock_t;

#define DEFINE_SPINLOCK(name) spinlock_t name = { 0 }
#define DEFINE_RAW_SPINLOCK(name) DEFINE_SPINLOCK(name)
#define spin_lock_init(lock) ((void)pthread_spin_init((lock), PTHREAD_PROCESS_PRIVATE))
#define spin_lock(lock) ((void)pthread_spin_lock(lock))
#define spin_trylock(lock) (pthread_spin_trylock(lock) == 0)
#define spin_unlock(lock) ((void)pthread_spin_unlock(lock))
#define spin_is_locked(lock) __fp_spin_is_locked(lock)
#define raw_spin_lock_init(lock) spin_lock_init(lock)
#define raw_spin_lock(lock) spin_lock(lock)
#define raw_spin_trylock(lock) spin_trylock(lock)
#define raw_spin_unlock(lock) spin_unlock(lock)
#define raw_spin_is_locked(lock) spin_is_locked(lock)

/* ---- RCU ---- */

/* Sections nest; only the outermost one matters to the model. */
static _Thread_local int __fp_rcu_depth;

#define rcu_read_lock()                                      \
    do {                                                     \
        if (__fp_rcu_depth++ == 0) __fp_fence("rcu-begin");   \
    } while (0)
#define rcu_read_unlock()                                                             \
    do {                                                                              \
        __fp_require(__fp_rcu_depth > 0, "rcu_read_unlock() ends a read-side section"); \
        if (--__fp_rcu_depth == 0) __fp_fence("rcu-end");                          \
    } while (0)
#define synchronize_rcu()                                                                   \
    do {                                                                                    \
        __fp_require(__fp_rcu_depth == 0, "synchronize_rcu() is outside read-side sections"); \
        __fp_fence("sync-rcu");                                                             \
    } while (0)
#define synchronize_rcu_expedited() synchronize_rcu()
#define rcu_read_lock_held() (__fp_rcu_depth > 0)

#define rcu_dereference(pointer) READ_ONCE(pointer)
#define rcu_dereference_raw(pointer) READ_ONCE(pointer)
#define rcu_dereference_check(pointer, condition) READ_ONCE(pointer)
#define rcu_dereference_protected(pointer, condition) READ_ONCE(pointer)
#define rcu_access_pointer(pointer) READ_ONCE(pointer)
#define rcu_assign_pointer(pointer, value) smp_store_release(&(pointer), (value))
#define RCU_INIT_POINTER(pointer, value) WRITE_ONCE(pointer, value)

/* Soundness S-046 (check, verify; all; misses): On models other than `lkmm`, the kernel's full
   barriers are sequentially consistent fences, those of a `cmpxchg` that fails included, which
   the kernel does not promise. Test: corpus/verify/kernel/sb_cmpxchg_fails.c. */

/* Soundness S-047 (run, check, verify; all; refuses): RCU needs `lkmm`, `smp_rmb` and `smp_wmb`
   are refused by C11 models, other atomics and what is made of them are refused under `lkmm`,
   and SRCU is not offered. Test:
   crates/api/src/target.rs::what_a_header_cannot_have_for_a_model_is_refused_where_the_user_calls_it. */

/* Soundness S-048 (check, verify; lkmm; misses, cries wolf): A grace period orders and does not
   block: neither a thread that waits for a section that never ends nor a section without an end
   is found, and a section that `main` begins before it starts the first thread has no beginning.
   Test: corpus/verify/kernel/rcu_sync_inside.c. */
