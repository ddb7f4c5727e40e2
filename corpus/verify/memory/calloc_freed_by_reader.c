// A reader of a pointer to a block of zeros frees the block. Without a release, the zero may come
// after that.
//@ sc tso: holds: the zero is there before the pointer
//@ pso relaxed armv8 power riscv: memory fails: the zero may be written to the block when it has been freed
//@ rc11: memory fails, race fails: nothing orders the zero of the allocation before the free
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) published;
static int sum;

static void *writer(void *unused) {
    (void)unused;
    atomic_store_explicit(&published, calloc(1, sizeof(int)), memory_order_relaxed);
    return NULL;
}

static void *reader(void *unused) {
    (void)unused;
    int *cell = atomic_exchange_explicit(&published, NULL, memory_order_relaxed);
    if (cell) {
        *cell = 2;
        sum += *cell;
        free(cell);
    }
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
