// A thread creates another one and waits for it.
//@ all: holds: create and join order in every thread
#include <assert.h>
#include <pthread.h>

static int value;

static void *inner(void *unused) {
    value++;
    return unused;
}

static void *outer(void *unused) {
    pthread_t thread;
    value++;
    pthread_create(&thread, NULL, inner, NULL);
    pthread_join(thread, NULL);
    value++;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, outer, NULL);
    pthread_join(thread, NULL);
    assert(value == 3);
    return 0;
}
