// A plain variable passes from hand to hand through an atomic turn.
//@ all: holds: each handover releases and acquires
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int turn;
static int value;

static void *worker(void *argument) {
    int me = (int)(intptr_t)argument;
    while (atomic_load_explicit(&turn, memory_order_acquire) != me)
        ;
    assert(value == me);
    value = me + 1;
    atomic_store_explicit(&turn, me + 1, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(value == 3);
    return 0;
}
