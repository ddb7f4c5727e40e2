// Each thread has a counter of its own.
//@ all: holds: thread-local objects are not shared
#include <assert.h>
#include <pthread.h>

static _Thread_local int counter = 10;

static void *worker(void *unused) {
    for (int i = 0; i < 2; i++)
        counter++;
    assert(counter == 12);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    counter++;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 11);
    return 0;
}
