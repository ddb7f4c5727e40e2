/* <lkmm.h>: the names of the Linux kernel's atomics and barriers, as its documentation
   (atomic_t.txt, memory-barriers.txt) explains them, over builtins: for programs that are checked
   on models of machines. smp_rmb and smp_wmb order nothing but loads and nothing but stores, which
   no C11 fence does, so C11 models refuse them. RCU is not offered. */
#pragma once

#include <pthread.h>

#define READ_ONCE(object) __fp_atomic_load(&(object), __ATOMIC_RELAXED)
#define WRITE_ONCE(object, value) __fp_atomic_store(&(object), (value), __ATOMIC_RELAXED)
#define smp_load_acquire(pointer) __fp_atomic_load((pointer), __ATOMIC_ACQUIRE)
#define smp_store_release(pointer, value) \
    __fp_atomic_store((pointer), (value), __ATOMIC_RELEASE)

#define barrier() __atomic_signal_fence(__ATOMIC_SEQ_CST)
#define smp_mb() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_rmb() __fp_fence("load-load")
#define smp_wmb() __fp_fence("store-store")
#define smp_mb__before_atomic() smp_mb()
#define smp_mb__after_atomic() smp_mb()
#define smp_mb__after_spinlock() smp_mb()
#define smp_store_mb(object, value) do { WRITE_ONCE(object, value); smp_mb(); } while (0)
#define cpu_relax() __fp_yield()

#define BUG_ON(condition) __fp_assert(!(condition), "BUG_ON: " #condition)
#define BUG() __fp_trap("BUG() was reached")
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

#define xchg_relaxed(pointer, value) \
    __fp_atomic_exchange((pointer), (value), __ATOMIC_RELAXED)
#define xchg_acquire(pointer, value) \
    __fp_atomic_exchange((pointer), (value), __ATOMIC_ACQUIRE)
#define xchg_release(pointer, value) \
    __fp_atomic_exchange((pointer), (value), __ATOMIC_RELEASE)

/* A compare-and-exchange gives what it found; one that fails orders nothing. */
#define __fp_kernel_cas(pointer, old, new, order)                                   \
    ({                                                                              \
        __typeof__(*(pointer)) __fp_found = (old);                                  \
        __fp_atomic_cas((pointer), &__fp_found, (new), 0, order, __ATOMIC_RELAXED); \
        __fp_found;                                                                 \
    })
#define cmpxchg_relaxed(pointer, old, new) __fp_kernel_cas(pointer, old, new, __ATOMIC_RELAXED)
#define cmpxchg_acquire(pointer, old, new) __fp_kernel_cas(pointer, old, new, __ATOMIC_ACQUIRE)
#define cmpxchg_release(pointer, old, new) __fp_kernel_cas(pointer, old, new, __ATOMIC_RELEASE)

/* What is not said to be weaker, and gives a value, is ordered with everything around it. */
#define __fp_kernel_full(expression)                 \
    ({                                               \
        smp_mb();                                    \
        __typeof__(expression) __fp_all = expression; \
        smp_mb();                                    \
        __fp_all;                                    \
    })
#define xchg(pointer, value) __fp_kernel_full(xchg_relaxed(pointer, value))
#define cmpxchg(pointer, old, new) __fp_kernel_full(cmpxchg_relaxed(pointer, old, new))

/* ---- atomic_t ---- */

typedef struct {
    int counter;
} atomic_t;

#define ATOMIC_INIT(value) { (value) }
#define atomic_read(object) READ_ONCE((object)->counter)
#define atomic_set(object, value) WRITE_ONCE((object)->counter, (value))
#define atomic_read_acquire(object) smp_load_acquire(&(object)->counter)
#define atomic_set_release(object, value) smp_store_release(&(object)->counter, (value))

#define __fp_kernel_add(value, object, order) \
    __fp_atomic_fetch_add(&(object)->counter, (value), order)
#define atomic_add(value, object) ((void)__fp_kernel_add(value, object, __ATOMIC_RELAXED))
#define atomic_sub(value, object) atomic_add(-(value), object)
#define atomic_inc(object) atomic_add(1, object)
#define atomic_dec(object) atomic_add(-1, object)

#define atomic_fetch_add_relaxed(value, object) __fp_kernel_add(value, object, __ATOMIC_RELAXED)
#define atomic_fetch_add_acquire(value, object) __fp_kernel_add(value, object, __ATOMIC_ACQUIRE)
#define atomic_fetch_add_release(value, object) __fp_kernel_add(value, object, __ATOMIC_RELEASE)
#define atomic_fetch_add(value, object) \
    __fp_kernel_full(atomic_fetch_add_relaxed(value, object))
#define atomic_fetch_sub(value, object) atomic_fetch_add(-(value), object)
#define atomic_fetch_inc(object) atomic_fetch_add(1, object)
#define atomic_fetch_dec(object) atomic_fetch_add(-1, object)

#define atomic_add_return_relaxed(value, object) \
    (atomic_fetch_add_relaxed(value, object) + (value))
#define atomic_add_return_acquire(value, object) \
    (atomic_fetch_add_acquire(value, object) + (value))
#define atomic_add_return_release(value, object) \
    (atomic_fetch_add_release(value, object) + (value))
#define atomic_add_return(value, object) (atomic_fetch_add(value, object) + (value))
#define atomic_sub_return(value, object) (atomic_fetch_sub(value, object) - (value))
#define atomic_inc_return(object) atomic_add_return(1, object)
#define atomic_dec_return(object) atomic_sub_return(1, object)
#define atomic_sub_and_test(value, object) (atomic_sub_return(value, object) == 0)
#define atomic_dec_and_test(object) (atomic_dec_return(object) == 0)
#define atomic_inc_and_test(object) (atomic_inc_return(object) == 0)
#define atomic_add_negative(value, object) (atomic_add_return(value, object) < 0)

#define atomic_xchg_relaxed(object, value) xchg_relaxed(&(object)->counter, value)
#define atomic_xchg_acquire(object, value) xchg_acquire(&(object)->counter, value)
#define atomic_xchg_release(object, value) xchg_release(&(object)->counter, value)
#define atomic_xchg(object, value) xchg(&(object)->counter, value)
#define atomic_cmpxchg_relaxed(object, old, new) cmpxchg_relaxed(&(object)->counter, old, new)
#define atomic_cmpxchg_acquire(object, old, new) cmpxchg_acquire(&(object)->counter, old, new)
#define atomic_cmpxchg_release(object, old, new) cmpxchg_release(&(object)->counter, old, new)
#define atomic_cmpxchg(object, old, new) cmpxchg(&(object)->counter, old, new)

static inline int atomic_add_unless(atomic_t *object, int value, int unless) {
    int found = atomic_read(object);
    while (found != unless) {
        int before = atomic_cmpxchg(object, found, found + value);
        if (before == found) return 1;
        found = before;
    }
    return 0;
}

#define atomic_inc_not_zero(object) atomic_add_unless((object), 1, 0)

/* ---- locks ---- */

typedef pthread_mutex_t spinlock_t;

#define DEFINE_SPINLOCK(name) spinlock_t name = PTHREAD_MUTEX_INITIALIZER
#define spin_lock_init(lock) pthread_mutex_init((lock), (pthread_mutexattr_t *)0)
#define spin_lock(lock) pthread_mutex_lock(lock)
#define spin_trylock(lock) (pthread_mutex_trylock(lock) == 0)
#define spin_unlock(lock) pthread_mutex_unlock(lock)
