// Read-copy-update with one flag per reader: the writer replaces, waits until the reader is outside
// its critical section, and frees the old copy.
//@ all: holds: full fences after entering and before waiting; leaving releases
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic current;
static atomic_int inside;

static void *reader(void *unused) {
    atomic_store_explicit(&inside, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    int *copy = atomic_load_explicit(&current, memory_order_acquire);
    int value = *copy;
    assert(value == 1 || value == 2);
    atomic_store_explicit(&inside, 0, memory_order_release);
    return unused;
}

static void *writer(void *unused) {
    int *copy = malloc(sizeof *copy);
    *copy = 2;
    int *old = atomic_exchange_explicit(&current, copy, memory_order_acq_rel);
    atomic_thread_fence(memory_order_seq_cst);
    while (atomic_load_explicit(&inside, memory_order_acquire))
        ;
    free(old);
    return unused;
}

int main(void) {
    int *first = malloc(sizeof *first);
    *first = 1;
    current = first;
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(current);
    return 0;
}
