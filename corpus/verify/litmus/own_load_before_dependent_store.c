// Load buffering: a fence orders a load before one of a constant, on which the store depends. That
// nothing ever writes the constant does not matter.
//@ sc tso pso rmo armv8 power riscv: holds: the store depends on a load that is after the first one
#include <assert.h>
#include <checkfence.h>
#include <pthread.h>

static int x, y, constant;

static void *thread_1(void *unused) {
    int seen = y;
    fence("load-load");
    x = 1 + constant;
    return seen ? &x : unused;
}

static void *thread_2(void *unused) {
    int seen = x;
    fence("load-store");
    y = 1;
    return seen ? &x : unused;
}

int main(void) {
    pthread_t t1, t2;
    void *first, *second;
    pthread_create(&t1, NULL, thread_1, NULL);
    pthread_create(&t2, NULL, thread_2, NULL);
    pthread_join(t1, &first);
    pthread_join(t2, &second);
    assert(!(first && second));
    return 0;
}
