// The entry of Dekker's algorithm as a trylock, without its fence.
//@ sc: holds: one of the two sees the wish of the other
//@ tso pso relaxed armv8 power riscv: assert fails: both loads may overtake the stores before them
//@ rc11: assert fails, race fails: both may see an old flag
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_bool wants[2];

static bool try_lock(int me) {
    atomic_store_explicit(&wants[me], true, memory_order_relaxed);
    if (!atomic_load_explicit(&wants[1 - me], memory_order_acquire))
        return true;
    atomic_store_explicit(&wants[me], false, memory_order_relaxed);
    return false;
}

static void unlock(int me) {
    atomic_store_explicit(&wants[me], false, memory_order_release);
}

static int counter; /* what the lock protects */
static atomic_int taken;

static void *worker(void *argument) {
    int me = (int)(intptr_t)argument;
    if (try_lock(me)) {
        counter++;
        unlock(me);
        atomic_fetch_add_explicit(&taken, 1, memory_order_relaxed);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter == taken);
    return 0;
}
