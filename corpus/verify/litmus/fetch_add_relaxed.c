// Relaxed increments are never lost.
//@ all: holds: a read-modify-write reads the write just before its own
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *thread_1(void *unused) {
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return unused;
}

static void *thread_2(void *unused) {
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return unused;
}

static void *thread_3(void *unused) {
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t t1, t2, t3;
    pthread_create(&t1, NULL, thread_1, NULL);
    pthread_create(&t2, NULL, thread_2, NULL);
    pthread_create(&t3, NULL, thread_3, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    assert(atomic_load_explicit(&x, memory_order_relaxed) == 3);
    return 0;
}
