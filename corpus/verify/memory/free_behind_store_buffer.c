// Two threads agree by flags, without a fence, who frees a block: with store buffers both do.
//@ sc: holds: one of them sees the other's flag
//@ tso pso relaxed armv8 power riscv: memory fails: both flags may wait in store buffers while both threads read
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int left, right;
static int *block;

static void *first(void *unused) {
    atomic_store_explicit(&left, 1, memory_order_relaxed);
    if (atomic_load_explicit(&right, memory_order_relaxed) == 0) {
        *block = 1;
        free(block);
    }
    return unused;
}

static void *second(void *unused) {
    atomic_store_explicit(&right, 1, memory_order_relaxed);
    if (atomic_load_explicit(&left, memory_order_relaxed) == 0) {
        *block = 2;
        free(block);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    block = malloc(sizeof *block);
    if (!block)
        return 0;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
