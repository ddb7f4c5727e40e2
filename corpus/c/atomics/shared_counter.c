/* No increment of an atomic counter is lost, whichever way it is written. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int a, b, c;
static _Atomic int d;
static int e;

static void *worker(void *argument) {
    for (int i = 0; i < 10; i++) {
        atomic_fetch_add(&a, 1);
        atomic_fetch_add_explicit(&b, 2, memory_order_relaxed);
        int seen = atomic_load_explicit(&c, memory_order_relaxed);
        while (!atomic_compare_exchange_weak(&c, &seen, seen + 3)) {}
        d++;
        __sync_fetch_and_add(&e, 4);
    }
    return argument;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    printf("%d %d %d %d %d\n", a, b, c, d, e);
    return 0;
}
