// Two threads only read.
//@ all: holds: reads do not conflict
#include <assert.h>
#include <pthread.h>

static int value = 5;

static void *worker(void *unused) {
    assert(value == 5);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
