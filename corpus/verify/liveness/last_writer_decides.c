// Two threads write their own number and then wait until it is theirs.
//@ all: liveness fails: the one whose number was overwritten waits for ever
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int owner;

static void *worker(void *argument) {
    int me = (int)(intptr_t)argument;
    atomic_store(&owner, me);
    while (atomic_load(&owner) != me)
        ;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, (void *)(intptr_t)1);
    pthread_create(&b, NULL, worker, (void *)(intptr_t)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
