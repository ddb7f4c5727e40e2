// A thread frees a block when it is told that the other one is done with it.
//@ sc tso: holds: the store to the block leaves the buffer before the flag
//@ pso relaxed armv8 power riscv: memory fails: the store may take place after the block was freed
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int done;
static int *block;

static void *user(void *unused) {
    *block = 1;
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    block = malloc(sizeof *block);
    if (!block)
        return 0;
    pthread_create(&thread, 0, user, 0);
    if (atomic_load_explicit(&done, memory_order_relaxed))
        free(block);
    pthread_join(thread, 0);
    return 0;
}
