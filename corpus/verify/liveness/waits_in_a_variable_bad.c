// A waiting loop that keeps what it has read in a variable that its condition looks at.
//@ all: liveness fails: main never sets the second flag
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int flag;
static atomic_ulong head;

static void *first(void *unused) {
    int seen = 0;
    while (seen == 0)
        seen = atomic_load_explicit(&flag, memory_order_acquire);
    return unused;
}

static void *second(void *unused) {
    int seen = atomic_load(&flag);
    while (seen == 0)
        seen = atomic_load(&flag);
    bool done;
    for (done = false; !done;)
        done = atomic_load(&flag) == 1;
    return unused;
}

static void *third(void *unused) {
    unsigned long cached = 0, tail = 0;
    while (cached - tail == 0)
        cached = atomic_load_explicit(&head, memory_order_acquire);
    return unused;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_create(&c, 0, third, 0);
    atomic_store_explicit(&flag, 1, memory_order_release);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
