/* ms2_fenced.c with a broken lock: without its load-store fence, unlock lets the load of a value
   drift past the unlocking, and so past the free by the next dequeuer. */
#include <checkfence.h>

static void weak_unlock(lock_t *lock) {
    fence("store-store");
    atomic { *lock = LOCK_INITIALIZER; }
}

#define unlock weak_unlock
#include "ms2_fenced.c"
