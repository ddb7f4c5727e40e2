// Three numbers are added atomically; their sum depends on who comes first, because sums are rounded.
//@ all: assert fails: 1e16 + 1 is 1e16, so that nothing is left if -1e16 comes last, and 1 if it comes second
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic double sum;

static void *add(void *argument) {
    sum += *(const double *)argument;
    return NULL;
}

int main(void) {
    static double numbers[] = {1e16, 1, -1e16};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, add, &numbers[i]);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(sum == 1);
    return 0;
}
