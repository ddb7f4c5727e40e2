// A block is written and then published, but with a relaxed store.
//@ sc tso: holds: the contents are seen before the pointer
//@ pso relaxed armv8 power riscv: memory fails, assert open: the pointer may be seen first, and the contents are then undefined
//@ rc11: memory fails, race fails, assert open: the contents are not released
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic shared;

static void *writer(void *unused) {
    int *block = malloc(sizeof *block);
    *block = 3;
    atomic_store_explicit(&shared, block, memory_order_relaxed);
    return unused;
}

static void *reader(void *unused) {
    int *block = atomic_load_explicit(&shared, memory_order_acquire);
    if (block != NULL)
        assert(*block == 3);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(shared);
    return 0;
}
