// main reads a result without waiting for the thread.
//@ sc tso pso relaxed armv8 power riscv: assert fails: the thread may not have run yet
//@ rc11: race fails, assert fails: nothing orders the write and the read
#include <assert.h>
#include <pthread.h>

static int output;

static void *worker(void *unused) {
    output = 42;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    assert(output == 42);
    pthread_join(thread, NULL);
    return 0;
}
