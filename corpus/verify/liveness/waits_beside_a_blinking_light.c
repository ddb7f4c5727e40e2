// A light blinks for ever; the thread that waits for it to be on may always look when it is off.
//@ sc tso armv8: liveness fails: nothing says when the thread looks
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int light;

static void *blinks(void *unused) {
    for (;;) {
        atomic_store(&light, 1);
        atomic_store(&light, 0);
    }
    return unused;
}

static void *waits(void *unused) {
    while (!atomic_load(&light))
        ;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, blinks, 0);
    pthread_create(&b, 0, waits, 0);
    pthread_join(b, 0);
    exit(0);
}
