// Load buffering: an index is out of bounds only if another thread has already seen a store that
// comes after the access.
//@ relaxed: holds: a finding stops its thread before the store (S-106), so this error is not found
//@ sc tso armv8 rc11: holds: loads take effect before later stores here, or the index is a dependency
#include <pthread.h>
#include <stdatomic.h>

static atomic_int index_of_element, done;
static int elements[1];

static void *reads(void *argument) {
    int i = atomic_load_explicit(&index_of_element, memory_order_relaxed);
    elements[i] = 1;
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return argument;
}

static void *writes(void *argument) {
    if (atomic_load_explicit(&done, memory_order_relaxed))
        atomic_store_explicit(&index_of_element, 1, memory_order_relaxed);
    return argument;
}

int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, reads, 0);
    pthread_create(&q, 0, writes, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    return 0;
}
