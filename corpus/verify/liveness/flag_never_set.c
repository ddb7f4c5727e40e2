// A thread waits for a flag that nobody raises.
//@ all: liveness fails: nobody writes the flag
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *waiter(void *unused) {
    while (!atomic_load(&flag))
        ;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_join(thread, NULL);
    return 0;
}
