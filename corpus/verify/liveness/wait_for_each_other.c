// Each thread waits for the other before it raises its own flag.
//@ all: liveness fails: nobody begins
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *first(void *unused) {
    while (!atomic_load(&y))
        ;
    atomic_store(&x, 1);
    return unused;
}

static void *second(void *unused) {
    while (!atomic_load(&x))
        ;
    atomic_store(&y, 1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
