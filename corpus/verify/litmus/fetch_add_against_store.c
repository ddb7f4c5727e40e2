// A store between the two halves of a read-modify-write does not exist.
//@ all: holds: the increment comes before the store or after it, as a whole
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *thread_1(void *unused) {
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return unused;
}

static void *thread_2(void *unused) {
    atomic_store_explicit(&x, 10, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, thread_1, NULL);
    pthread_create(&t2, NULL, thread_2, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    int last = atomic_load_explicit(&x, memory_order_relaxed);
    assert(last == 10 || last == 11);
    return 0;
}
