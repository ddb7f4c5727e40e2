// A light blinks until the other thread, which has looked at it once, stops it: memory may go on
// changing for as long as the scheduler likes, but not for ever.
//@ sc tso: holds: the thread that stops the light waits for nothing
#include <pthread.h>
#include <stdatomic.h>

static atomic_int light, stop;

static void *blinks(void *unused) {
    while (!atomic_load(&stop)) {
        atomic_store(&light, 1);
        atomic_store(&light, 0);
    }
    return unused;
}

static void *stops(void *unused) {
    atomic_load(&light);
    atomic_store(&stop, 1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, blinks, 0);
    pthread_create(&b, 0, stops, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
