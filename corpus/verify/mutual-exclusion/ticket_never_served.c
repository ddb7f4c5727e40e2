// A ticket lock whose unlock forgets to call the next ticket.
//@ all: liveness fails: the second waits for a number that never comes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int next_ticket, serving;

static void lock(int me) {
    (void)me;
    int mine = atomic_fetch_add(&next_ticket, 1);
    while (atomic_load(&serving) != mine)
        ;
}

static void unlock(int me) {
    (void)me;
    atomic_store(&serving, atomic_load(&serving));
}

static int counter; /* what the lock protects */

static void *worker(void *argument) {
    int me = (int)(intptr_t)argument;
    lock(me);
    counter++;
    unlock(me);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 2);
    return 0;
}
