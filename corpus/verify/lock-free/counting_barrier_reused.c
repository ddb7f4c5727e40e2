// A barrier that counts up to two and resets itself: the second round may begin before the slower
// thread has seen the end of the first.
//@ all: liveness fails: the slower thread finds the count reset and waits for ever
#include <pthread.h>
#include <stdatomic.h>

static atomic_int arrived;

static void barrier(void) {
    if (atomic_fetch_add(&arrived, 1) + 1 == 2)
        atomic_store(&arrived, 0);
    else
        while (atomic_load(&arrived) != 0)
            ;
}

static void *worker(void *unused) {
    barrier();
    barrier();
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
