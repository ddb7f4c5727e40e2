// A block of zeros is published without a release: its zeros are stores like any other.
//@ sc tso: holds: stores are seen in order
//@ pso relaxed armv8 power riscv: memory fails: the pointer may be seen before the zero, and then the block is undefined
//@ rc11: memory fails, race fails: nothing orders the zero of the allocation before the read
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) published;

static void *writer(void *unused) {
    (void)unused;
    int *cell = calloc(1, sizeof *cell);
    atomic_store_explicit(&published, cell, memory_order_relaxed);
    return NULL;
}

static void *reader(void *unused) {
    (void)unused;
    int *cell = atomic_load_explicit(&published, memory_order_relaxed);
    if (cell) assert(*cell == 0);
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
