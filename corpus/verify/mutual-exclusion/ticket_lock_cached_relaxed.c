// A ticket lock whose waiters look at the number that is served with relaxed loads.
//@ sc tso: holds: loads stay in order, and so does the store that gives the lock back
//@ pso relaxed: open: C11 orders relaxed loads of one location there, and with them more
//@ armv8 power riscv: assert fails: the counter may be read before the lock is seen to be free
//@ rc11: assert fails, race fails: a relaxed load does not acquire what was released
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static struct {
    atomic_ulong next, served;
} lock;
static int counter;

static void *worker(void *argument) {
    unsigned long mine = atomic_fetch_add_explicit(&lock.next, 1, memory_order_relaxed);
    unsigned long served = atomic_load_explicit(&lock.served, memory_order_relaxed);
    while (served != mine)
        served = atomic_load_explicit(&lock.served, memory_order_relaxed);
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
