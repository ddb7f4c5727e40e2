// A thread comes to a barrier that the main thread may have destroyed.
//@ all: assert fails, rest cut, deadlock open: the main thread does not wait for anybody before it destroys it
//@ rc11: assert fails, rest cut, deadlock open, race open: the main thread does not wait for anybody
#include <pthread.h>

static pthread_barrier_t barrier;

static void *meet(void *argument) {
    pthread_barrier_wait(&barrier);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 1);
    pthread_create(&thread, NULL, meet, NULL);
    pthread_barrier_destroy(&barrier);
    pthread_join(thread, NULL);
    return 0;
}
