// A ticket lock whose waiters pause in proportion to their place in the queue (the style of
// Concurrency Kit's and Linux's ticket locks): the pause is a loop with a counter.
//$ verify FILE --model sc --model tso --model armv8 --model power --model rc11 --model lkmm --property assert --property deadlock
//$ verify FILE --model armv8 --property assert -DWEAK
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static struct ticket {
    atomic_uint next, owner;
} ticket;
static int counter;

#ifdef WEAK
#define SEES memory_order_relaxed
#else
#define SEES memory_order_acquire
#endif

static inline void pause_for(unsigned turns) {
    for (unsigned i = 0; i < turns; i++)
        atomic_signal_fence(memory_order_seq_cst);
}

static void lock(struct ticket *ticket) {
    unsigned own = atomic_fetch_add_explicit(&ticket->next, 1, memory_order_relaxed);
    for (;;) {
        unsigned owner = atomic_load_explicit(&ticket->owner, SEES);
        if (owner == own) return;
        pause_for((own - owner) & 3);
    }
}

static void unlock(struct ticket *ticket) {
    unsigned owner = atomic_load_explicit(&ticket->owner, memory_order_relaxed);
    atomic_store_explicit(&ticket->owner, owner + 1, memory_order_release);
}

static void *adds(void *unused) {
    lock(&ticket);
    counter = counter + 1;
    unlock(&ticket);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, adds, NULL);
    adds(NULL);
    pthread_join(thread, NULL);
    assert(counter == 2);
    return 0;
}
