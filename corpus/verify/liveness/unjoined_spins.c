// main does not await a thread that waits for a flag which no thread sets. That main returns gives
// the thread a fair chance to end; it does not excuse it.
//@ all: liveness fails: the thread would never end by itself
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *waits(void *unused) {
    while (!atomic_load(&flag))
        ;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, waits, 0);
    return 0;
}
