// What runs before main and after it, beside threads.
//@ all: holds: the handler runs after the thread has been awaited
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int stored;
static int prepared;

static void look(void) { assert(atomic_load(&stored) == 1); }

__attribute__((constructor)) static void prepare(void) { prepared = 1; }

static void *store(void *arg) {
    atomic_store(&stored, prepared);
    return arg;
}

int main(void) {
    atexit(look);
    pthread_t t;
    pthread_create(&t, 0, store, 0);
    pthread_join(t, 0);
    return 0;
}
