// A thread waits for a flag that is raised only if another one was seen.
//@ all: liveness fails: the raiser may look before the other flag is up
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, go;

static void *waiter(void *unused) {
    atomic_store(&ready, 1);
    while (!atomic_load(&go))
        ;
    return unused;
}

static void *starter(void *unused) {
    if (atomic_load(&ready))
        atomic_store(&go, 1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, starter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
