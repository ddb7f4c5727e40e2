/* A counter modulo three under a spinlock. */
#define FENCEPOST_NO_DIALECT
#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>

#define LOCKED 1
#define TRY 0

static pthread_spinlock_t lock;
static int counter;

/* Gives whether the lock is held now. */
static int acquire(void) {
    if (TRY) return pthread_spin_trylock(&lock) == 0;
    if (LOCKED) pthread_spin_lock(&lock);
    return LOCKED;
}

static void release(int held) {
    if (held) pthread_spin_unlock(&lock);
}

void init(void) { pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE); }

void up(void) {
    int held = acquire();
    int before = counter;
    counter = (before + 1) % 3;
    release(held);
    fp_observe("before", before);
}

void look(void) {
    int held = acquire();
    int seen = counter;
    release(held);
    fp_observe("seen", seen);
}
