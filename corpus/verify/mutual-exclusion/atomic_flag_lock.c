// A lock over C11's atomic_flag.
//@ all: holds: test-and-set acquires, clear releases
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_flag held = ATOMIC_FLAG_INIT;

static void lock(int me) {
    (void)me;
    while (atomic_flag_test_and_set_explicit(&held, memory_order_acquire))
        ;
}

static void unlock(int me) {
    (void)me;
    atomic_flag_clear_explicit(&held, memory_order_release);
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
