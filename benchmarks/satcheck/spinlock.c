/* A lock taken by compare-and-swap: two threads, N times { trylock; if taken, unlock }.
   After the description of the evaluation of SATCheck (Demsky and Lam, OOPSLA 2015).
   -DN=…: how often. -DASSERTED: the critical section asserts that nobody else is in it.
   -DBUG: the lock is taken by a load and a store. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

static atomic_int held;
#ifdef ASSERTED
static int counter;
#endif

static bool try_lock(void) {
    int expected = 0;
#ifdef BUG
    if (atomic_load_explicit(&held, memory_order_acquire) != expected)
        return false;
    atomic_store_explicit(&held, 1, memory_order_relaxed);
    return true;
#else
    return atomic_compare_exchange_strong_explicit(&held, &expected, 1, memory_order_acquire,
                                                   memory_order_relaxed);
#endif
}

static void unlock(void) {
    atomic_store_explicit(&held, 0, memory_order_release);
}

static void *worker(void *unused) {
    for (int i = 0; i < N; i++)
        if (try_lock()) {
#ifdef ASSERTED
            int before = counter;
            counter = before + 1;
            assert(counter == before + 1);
#endif
            unlock();
        }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
