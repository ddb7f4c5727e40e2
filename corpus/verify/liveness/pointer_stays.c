// Waits until a pointer is another one than it was; nobody changes it.
//@ all: liveness fails: every look finds the same pointer
#include <pthread.h>
#include <stdatomic.h>

static int first;
static int *_Atomic current = &first;

static void *look(void *argument) {
    int *seen = atomic_load_explicit(&current, memory_order_relaxed);
    return seen == &first ? argument : NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    int *old = atomic_load_explicit(&current, memory_order_relaxed), *seen = old;
    while (seen == old)
        seen = atomic_load_explicit(&current, memory_order_relaxed);
    pthread_join(thread, NULL);
    return 0;
}
