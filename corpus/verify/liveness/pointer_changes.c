// Waits until a pointer is another one than it was; the other thread changes it.
//@ all: holds: it does change, and only once
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int first, second;
static int *_Atomic current = &first;

static void *change(void *argument) {
    atomic_store_explicit(&current, &second, memory_order_relaxed);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, change, NULL);
    int *old = &first;
    int *seen = atomic_load_explicit(&current, memory_order_relaxed);
    while (seen == old)
        seen = atomic_load_explicit(&current, memory_order_relaxed);
    assert(seen == &second);
    pthread_join(thread, NULL);
    return 0;
}
