// Two stores of one thread to one location take effect in order.
//@ all: holds: coherence
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *thread_1(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    return unused;
}

static void *thread_2(void *unused) {
    int first = atomic_load_explicit(&x, memory_order_relaxed);
    int second = atomic_load_explicit(&x, memory_order_relaxed);
    assert(!(first == 2 && second == 1));
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, thread_1, NULL);
    pthread_create(&t2, NULL, thread_2, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(atomic_load_explicit(&x, memory_order_relaxed) == 2);
    return 0;
}
