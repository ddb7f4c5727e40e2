// A block of zeros is published with a release and read after an acquire.
//@ all: holds: the zeros come before the pointer
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) published;

static void *writer(void *unused) {
    (void)unused;
    int *cell = calloc(1, sizeof *cell);
    atomic_store_explicit(&published, cell, memory_order_release);
    return NULL;
}

static void *reader(void *unused) {
    (void)unused;
    int *cell = atomic_load_explicit(&published, memory_order_acquire);
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
