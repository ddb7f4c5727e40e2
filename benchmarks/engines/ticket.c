// Two threads, each N times in a critical section under a ticket lock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 3
#endif
static atomic_int next, serving;
static int inside;

static void *visitor(void *unused) {
    for (int i = 0; i < N; i++) {
        int own = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
        while (atomic_load_explicit(&serving, memory_order_acquire) != own) {
        }
        inside++;
        atomic_store_explicit(&serving, own + 1, memory_order_release);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, visitor, 0);
    pthread_create(&b, 0, visitor, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(inside == 2 * N);
    return 0;
}
