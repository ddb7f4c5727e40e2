/* ms2_fenced.c with a broken lock: the fences of unlock stand after the store that frees it. */
#include <checkfence.h>

static void late_unlock(lock_t *lock) {
    atomic { *lock = LOCK_INITIALIZER; }
    fence("load-store");
    fence("store-store");
}

#define unlock late_unlock
#include "ms2_fenced.c"
