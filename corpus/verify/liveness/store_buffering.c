// Whoever sees the other one leaves it to it to open the gate; if both see each other, nobody opens.
//@ all: liveness fails: both may see each other
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int here[2], gate;

static void *worker(void *argument) {
    int me = (int)(intptr_t)argument;
    atomic_store(&here[me], 1);
    if (!atomic_load(&here[1 - me]))
        atomic_store(&gate, 1);
    while (!atomic_load(&gate))
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
