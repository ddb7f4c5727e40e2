// A thread announces a request in each round of its wait; main answers only if it came first.
//@ all: liveness fails: if main sees the request, nobody sets the flag, and storing 1 over 1 changes nothing
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, request;

static void *client(void *unused) {
    while (!atomic_load(&flag))
        atomic_store(&request, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, client, 0);
    if (!atomic_load(&request))
        atomic_store(&flag, 1);
    pthread_join(thread, 0);
    return 0;
}
