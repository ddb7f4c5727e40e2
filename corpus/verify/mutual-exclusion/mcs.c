// The queue lock of Mellor-Crummey and Scott (1991).
//@ all: holds: each waits on its own flag, which its predecessor clears
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct node {
    struct node *_Atomic next;
    atomic_bool waits;
};

static struct node nodes[2];
static struct node *_Atomic tail;

static void lock(int me) {
    struct node *mine = &nodes[me];
    atomic_store_explicit(&mine->next, NULL, memory_order_relaxed);
    atomic_store_explicit(&mine->waits, true, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
    if (before == NULL)
        return;
    atomic_store_explicit(&before->next, mine, memory_order_release);
    while (atomic_load_explicit(&mine->waits, memory_order_acquire))
        ;
}

static void unlock(int me) {
    struct node *mine = &nodes[me];
    struct node *after = atomic_load_explicit(&mine->next, memory_order_acquire);
    if (after == NULL) {
        struct node *last = mine;
        if (atomic_compare_exchange_strong_explicit(&tail, &last, NULL, memory_order_release, memory_order_relaxed))
            return;
        while ((after = atomic_load_explicit(&mine->next, memory_order_acquire)) == NULL)
            ; /* somebody has queued up, but is not linked yet */
    }
    atomic_store_explicit(&after->waits, false, memory_order_release);
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
