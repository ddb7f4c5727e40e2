/* A readers-writer lock as Linux once had it, with a bias that a writer takes whole: two threads,
   N times { write-trylock; if taken, unlock }.
   After the description of the evaluation of SATCheck (Demsky and Lam, OOPSLA 2015).
   -DN=…: how often. -DASSERTED: the critical section asserts that nobody else is in it.
   -DBUG: who does not get the lock puts too much back. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef N
#define N 2
#endif

enum { BIAS = 0x100000 };

static atomic_int lock = BIAS;
#ifdef ASSERTED
static int counter;
#endif

static bool write_try_lock(void) {
    int before = atomic_fetch_sub_explicit(&lock, BIAS, memory_order_acquire);
    if (before == BIAS)
        return true;
#ifdef BUG
    atomic_fetch_add_explicit(&lock, 2 * BIAS, memory_order_relaxed);
#else
    atomic_fetch_add_explicit(&lock, BIAS, memory_order_relaxed);
#endif
    return false;
}

static void write_unlock(void) {
    atomic_fetch_add_explicit(&lock, BIAS, memory_order_release);
}

static void *worker(void *unused) {
    for (int i = 0; i < N; i++)
        if (write_try_lock()) {
#ifdef ASSERTED
            int before = counter;
            counter = before + 1;
            assert(counter == before + 1);
#endif
            write_unlock();
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
