// A thread gives the address of its own local as its result.
//@ all: memory fails, race open, assert open: the local is gone when the thread has ended
#include <assert.h>
#include <pthread.h>

static void *worker(void *unused) {
    static int counter;
    int value = 5;
    int *volatile result = &value;
    (void)unused;
    counter++;
    pthread_exit(result);
}

int main(void) {
    pthread_t a;
    void *result;
    pthread_create(&a, NULL, worker, NULL);
    pthread_join(a, &result);
    assert(*(int *)result == 5);
    return 0;
}
