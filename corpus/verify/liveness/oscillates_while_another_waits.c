// Memory goes back and forth between two values; the other thread waits for one of them, and may
// see the other one each time it looks (the published example of a fair execution that never ends).
//@ sc tso armv8: liveness fails: the waiting thread can come whenever x is 1
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *oscillates(void *unused) {
    while (atomic_load(&y) != 1) {
        atomic_store(&x, 1);
        atomic_store(&x, 2);
    }
    return unused;
}

static void *waits(void *unused) {
    while (atomic_load(&x) != 2)
        ;
    atomic_store(&y, 1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, oscillates, 0);
    pthread_create(&b, 0, waits, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
