// One thread writes for ever and is not meant to end; main awaits it.
//@ sc tso: holds: nobody waits for anything that the loop could find
#include <pthread.h>
#include <stdatomic.h>

static atomic_uchar beat;

static void *work(void *argument) {
    for (;;)
        beat = !beat;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
