// The classic: two threads count in a plain variable.
//@ sc tso pso relaxed armv8 power riscv: assert fails: both may load before either stores
//@ rc11: race fails, assert fails: two plain increments conflict
#include <assert.h>
#include <pthread.h>

static int counter;

static void *worker(void *unused) {
    counter++;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
