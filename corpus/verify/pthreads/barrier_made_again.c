// The main thread is the only one that meets twice; it makes the barrier anew at once.
//@ all: holds: the second barrier has nothing to do with who is still on its way out of the first
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier, ready;
static int first, second;

static void *meet(void *argument) {
    first = 1;
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&ready);
    second = 1;
    pthread_barrier_wait(&barrier);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_barrier_init(&ready, NULL, 2);
    pthread_create(&thread, NULL, meet, NULL);
    pthread_barrier_wait(&barrier);
    assert(first == 1);
    pthread_barrier_destroy(&barrier);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_barrier_wait(&ready);
    pthread_barrier_wait(&barrier);
    assert(second == 1);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&barrier);
    pthread_barrier_destroy(&ready);
    return 0;
}
