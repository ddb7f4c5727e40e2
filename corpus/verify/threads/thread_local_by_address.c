// A thread-local object is shared by its address while its thread lives.
//@ sc tso pso relaxed armv8 power riscv: assert fails: both increment the counter of main
//@ rc11: race fails, assert fails: the two increments conflict
#include <assert.h>
#include <pthread.h>

static _Thread_local int counter;

static void *worker(void *argument) {
    int *its = argument;
    ++*its;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, &counter);
    counter++;
    pthread_join(thread, NULL);
    assert(counter == 2);
    return 0;
}
