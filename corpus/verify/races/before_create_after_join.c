// main writes before it creates the thread and reads after it has joined it.
//@ all: holds: create and join order everything
#include <assert.h>
#include <pthread.h>

static int input, output;

static void *worker(void *unused) {
    output = input * 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    input = 21;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    assert(output == 42);
    return 0;
}
