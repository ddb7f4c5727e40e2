// A thread polls under a ticket lock until another one, which takes the same lock, has set a flag:
// tickets are served in their order, so the other one has its turn.
//@ sc: holds: a thread with a ticket is served after those before it
#include <pthread.h>
#include <stdatomic.h>

static _Atomic unsigned char next, serving;
static int ready;

static void lock(void) {
    unsigned char own = atomic_fetch_add(&next, 1) % 4;
    while (atomic_load(&serving) % 4 != own)
        ;
}

static void unlock(void) {
    atomic_store(&serving, (atomic_load(&serving) + 1) % 4);
    if (atomic_load(&next) >= 4)
        atomic_fetch_sub(&next, 4);
}

static void *polls(void *unused) {
    int done = 0;
    while (!done) {
        lock();
        done = ready;
        unlock();
    }
    return unused;
}

static void *sets(void *unused) {
    lock();
    ready = 1;
    unlock();
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, polls, 0);
    pthread_create(&b, 0, sets, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
