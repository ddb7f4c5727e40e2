// A thread waits for a value that is there only for a moment.
//@ all: liveness fails: the value may be gone before the thread looks
#include <pthread.h>
#include <stdatomic.h>

static atomic_int light;

static void *waiter(void *unused) {
    while (atomic_load(&light) != 1)
        ;
    return unused;
}

static void *switcher(void *unused) {
    atomic_store(&light, 1);
    atomic_store(&light, 2);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, switcher, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
