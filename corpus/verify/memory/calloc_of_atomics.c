// The zeros of a block are its atomics' first values: a thread that finds the block without an acquire
// may not find them there.
//@ sc tso pso armv8 power riscv: holds: the store comes after the zeros, and the load after that of the pointer
//@ alpha: memory fails: the load of the counter may come before that of the pointer
//@ rc11: memory fails, race fails: what orders the zero before the pointer does not order it before the load
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    atomic_int count;
};

static _Atomic(struct node *) published;

static void *writer(void *unused) {
    (void)unused;
    struct node *node = calloc(1, sizeof *node);
    atomic_store_explicit(&published, node, memory_order_release);
    return NULL;
}

static void *reader(void *unused) {
    (void)unused;
    struct node *node = atomic_load_explicit(&published, memory_order_relaxed);
    if (node) assert(atomic_load_explicit(&node->count, memory_order_relaxed) == 0);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    free(atomic_load(&published));
    return 0;
}
