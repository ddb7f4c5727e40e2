// Main waits for a thread that toggles a flag for ever.
//@ sc tso: liveness fails: the loop has no exit, so join never returns
//@ armv8: liveness open: a run may not come back to where it was within the bounds
//@ rc11: liveness fails: the same
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *toggles(void *unused) {
    for (;;)
        flag = !flag;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, toggles, NULL);
    pthread_join(t, NULL);
    return 0;
}
