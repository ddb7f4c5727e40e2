// Two threads allocate many zeros each while the other runs, and use a few bytes of it.
//@ all: holds: each block is published with a release and read after an acquire
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { SIZE = 1 << 16 };

static _Atomic(char *) published[2];

static void *worker(void *argument) {
    int own = argument != NULL;
    char *mine = calloc(SIZE, 1);
    mine[SIZE / 2] = 1;
    atomic_store_explicit(&published[own], mine, memory_order_release);
    char *other = atomic_load_explicit(&published[!own], memory_order_acquire);
    if (other) assert(other[0] == 0 && other[SIZE / 2] == 1 && other[SIZE - 1] == 0);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, worker, NULL);
    pthread_create(&threads[1], NULL, worker, threads);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    free(atomic_load(&published[0]));
    free(atomic_load(&published[1]));
    return 0;
}
