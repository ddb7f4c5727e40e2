// The gate stays closed only if neither thread has seen the other.
//@ sc: holds: one of the two sees the other and opens the gate
//@ tso pso relaxed armv8 power riscv rc11: liveness fails: both loads may overtake the stores before them, and then nobody opens
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int here[2], gate;

static void *worker(void *argument) {
    int me = (int)(intptr_t)argument;
    atomic_store_explicit(&here[me], 1, memory_order_relaxed);
    if (atomic_load_explicit(&here[1 - me], memory_order_relaxed))
        atomic_store_explicit(&gate, 1, memory_order_relaxed);
    while (!atomic_load_explicit(&gate, memory_order_relaxed))
        ;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
