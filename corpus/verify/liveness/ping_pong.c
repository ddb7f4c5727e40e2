// Two threads wait for each other in turn.
//@ all: holds: each round is answered
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ball;

static void *ping(void *unused) {
    for (int i = 0; i < 4; i += 2) {
        while (atomic_load_explicit(&ball, memory_order_relaxed) != i)
            ;
        atomic_store_explicit(&ball, i + 1, memory_order_relaxed);
    }
    return unused;
}

static void *pong(void *unused) {
    for (int i = 1; i < 4; i += 2) {
        while (atomic_load_explicit(&ball, memory_order_relaxed) != i)
            ;
        atomic_store_explicit(&ball, i + 1, memory_order_relaxed);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, ping, NULL);
    pthread_create(&b, NULL, pong, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
