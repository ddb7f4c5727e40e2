// A thread leaves from inside a call.
//@ all: holds: what follows pthread_exit is not executed, and its argument is the result
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void leave(int code) {
    pthread_exit((void *)(intptr_t)code);
}

static void *worker(void *unused) {
    leave(3);
    assert(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, &result);
    assert((intptr_t)result == 3);
    return 0;
}
