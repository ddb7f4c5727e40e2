// main sets the flag and returns without awaiting the thread, which sees it in time.
//@ all: holds: every store becomes visible
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *waits(void *unused) {
    while (!atomic_load_explicit(&flag, memory_order_relaxed))
        ;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, waits, 0);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return 0;
}
