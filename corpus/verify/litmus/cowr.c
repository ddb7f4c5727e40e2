// A load sees the store before it, or one that comes later in coherence.
//@ all: holds: coherence
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int r1;

static void *thread_1(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    r1 = atomic_load_explicit(&x, memory_order_relaxed);
    return unused;
}

static void *thread_2(void *unused) {
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, thread_1, NULL);
    pthread_create(&t2, NULL, thread_2, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(r1 != 0);
    assert(!(r1 == 2 && atomic_load_explicit(&x, memory_order_relaxed) == 1));
    return 0;
}
