// A queue lock in which each thread spins on a flag of its own (the style of Concurrency Kit's and
// Zephyr's MCS locks), with its accesses behind inline functions that take pointers.
//$ verify FILE --model sc --model tso --model armv8 --model power --model rc11 --model lkmm --property assert --property race
//$ verify FILE --model armv8 --property assert -DWEAK
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

typedef struct mcs {
    _Atomic(struct mcs *) next;
    atomic_uint locked;
} mcs_t;

static inline unsigned load_uint(const atomic_uint *target, memory_order order) {
    return atomic_load_explicit(target, order);
}

static inline void store_uint(atomic_uint *target, unsigned value, memory_order order) {
    atomic_store_explicit(target, value, order);
}

static inline mcs_t *load_ptr(_Atomic(mcs_t *) *target) {
    return atomic_load_explicit(target, memory_order_acquire);
}

static _Atomic(mcs_t *) queue;
static int counter;

#ifdef WEAK
#define HANDS_OVER memory_order_relaxed
#else
#define HANDS_OVER memory_order_release
#endif

static void lock(mcs_t *own) {
    store_uint(&own->locked, 1, memory_order_relaxed);
    atomic_store_explicit(&own->next, NULL, memory_order_relaxed);
    mcs_t *before = atomic_exchange_explicit(&queue, own, memory_order_acq_rel);
    if (before == NULL) return;
    atomic_store_explicit(&before->next, own, memory_order_release);
    while (load_uint(&own->locked, memory_order_acquire))
        ;
}

static void unlock(mcs_t *own) {
    mcs_t *after = load_ptr(&own->next);
    if (after == NULL) {
        mcs_t *last = own;
        if (atomic_compare_exchange_strong_explicit(&queue, &last, NULL, memory_order_release,
                                                    memory_order_relaxed))
            return;
        while ((after = load_ptr(&own->next)) == NULL)
            ;
    }
    store_uint(&after->locked, 0, HANDS_OVER);
}

static mcs_t contexts[2];

static void *adds(void *own) {
    lock(own);
    counter = counter + 1;
    unlock(own);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, adds, &contexts[1]);
    adds(&contexts[0]);
    pthread_join(thread, NULL);
    assert(counter == 2);
    return 0;
}
