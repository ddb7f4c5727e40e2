/* A sequence lock: one writer and two readers, N times each; a reader does not try again.
   After the description of the evaluation of SATCheck (Demsky and Lam, OOPSLA 2015).
   -DN=…: how often. -DASSERTED: a reader that finds the count even and unchanged has no torn pair.
   -DBUG: the writer does not make the count odd while it writes. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int count, first, second;

static void *writer(void *unused) {
    for (int i = 1; i <= N; i++) {
        int now = atomic_load_explicit(&count, memory_order_relaxed);
#ifndef BUG
        atomic_store_explicit(&count, now + 1, memory_order_relaxed);
        atomic_thread_fence(memory_order_release);
#endif
        atomic_store_explicit(&first, i, memory_order_relaxed);
        atomic_store_explicit(&second, i, memory_order_relaxed);
        atomic_store_explicit(&count, now + 2, memory_order_release);
    }
    return unused;
}

static void *reader(void *unused) {
    for (int i = 0; i < N; i++) {
        int before = atomic_load_explicit(&count, memory_order_acquire);
        if (before % 2 != 0)
            continue;
        int one = atomic_load_explicit(&first, memory_order_relaxed);
        int two = atomic_load_explicit(&second, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        int after = atomic_load_explicit(&count, memory_order_relaxed);
        if (before == after) {
#ifdef ASSERTED
            assert(one == two);
#else
            (void)one, (void)two;
#endif
        }
    }
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_create(&threads[2], NULL, reader, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
