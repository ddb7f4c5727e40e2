// A ticket lock whose waiters keep the number that is served in a variable, which they compare.
//@ all: holds: tickets are served one after the other, and who is served has acquired the lock
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static struct {
    atomic_ulong next, served;
} lock;
static int counter;

static void *worker(void *argument) {
    unsigned long mine = atomic_fetch_add_explicit(&lock.next, 1, memory_order_relaxed);
    unsigned long served = atomic_load_explicit(&lock.served, memory_order_acquire);
    while (served != mine)
        served = atomic_load_explicit(&lock.served, memory_order_acquire);
    counter++;
    atomic_store_explicit(&lock.served, mine + 1, memory_order_release);
    return argument;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 3);
    return 0;
}
