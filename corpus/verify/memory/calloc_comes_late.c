// A reader of a pointer to a block of zeros writes to the block. Without a release, the zero may come
// after that.
//@ sc tso: holds: the zero is there before the pointer
//@ pso relaxed armv8 power riscv: assert fails: the pointer may be seen, and 1 written, before the zero is
//@ rc11: assert fails, race fails, memory open: nothing orders the zero of the allocation before the store
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) published;

static void *writer(void *unused) {
    (void)unused;
    atomic_store_explicit(&published, calloc(1, sizeof(int)), memory_order_relaxed);
    return NULL;
}

static void *reader(void *unused) {
    (void)unused;
    int *cell = atomic_load_explicit(&published, memory_order_relaxed);
    if (cell) *cell = 1;
    return cell;
}

int main(void) {
    pthread_t threads[2];
    void *written;
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], &written);
    int *cell = atomic_load(&published);
    assert(*cell == (written != NULL));
    free(cell);
    return 0;
}
