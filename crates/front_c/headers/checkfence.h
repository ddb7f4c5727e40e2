/* <checkfence.h>: the C dialect of CheckFence (Burckhardt, Alur, Martin, PLDI 2007): plain C
   with explicit fences, in which all ordering there is stands in the program.

     fence("load-load")   fence("load-store")   fence("store-load")   fence("store-store")
     atomic { ... }
     cas(location, old, new)                          compare and swap, without any ordering
     dcas(location1, location2, old1, old2, new1, new2)
     lock_t, lock(&l), unlock(&l)                     a spinlock with partial fences */
#pragma once
#include <fencepost.h>
#define fence(kind) __fp_fence(kind)
#define atomic __fp_atomic
#define cas(location, old, new) __fp_cas((location), (old), (new))
#define dcas(location1, location2, old1, old2, new1, new2) \
    __fp_dcas((location1), (location2), (old1), (old2), (new1), (new2))

typedef enum __attribute__((__fp_lock_word("count"))) { __fp_lock_free, __fp_lock_held } lock_t;

#define LOCK_INITIALIZER __fp_lock_free

static inline void init_lock(lock_t *lock) {
    *lock = __fp_lock_free;
}

/* A thread that finds the lock held waits: of a loop that tries again and again, only the attempt
   that succeeds can be noticed. It is one exchange, which every model knows. The fences keep the
   accesses of the critical section inside it: nothing moves up past the load that found the lock
   free, nothing moves down past the store that frees it. */
static inline void lock(lock_t *lock) {
    atomic {
        __fp_assume(__atomic_exchange_n(lock, __fp_lock_held, __ATOMIC_RELAXED) == __fp_lock_free);
    }
    fence("load-load");
    fence("load-store");
}

static inline void unlock(lock_t *lock) {
    fence("load-store");
    fence("store-store");
    __fp_assert(*lock != __fp_lock_free, "the lock that is released is held");
    *lock = __fp_lock_free;
}
