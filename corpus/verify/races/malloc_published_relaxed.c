// A block is published without a release, and who finds it writes to it.
//@ sc tso pso relaxed armv8 power riscv: holds: the store is to a block that has been allocated
//@ rc11: race fails: the allocation does not happen before the store
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) published;

static void *writer(void *unused) {
    (void)unused;
    atomic_store_explicit(&published, malloc(sizeof(int)), memory_order_relaxed);
    return NULL;
}

static void *reader(void *unused) {
    (void)unused;
    int *cell = atomic_load_explicit(&published, memory_order_relaxed);
    if (cell) *cell = 18;
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
