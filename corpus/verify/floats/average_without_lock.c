// Two threads add to a sum without a lock.
//@ sc tso pso relaxed armv8 power riscv: assert fails: both may read the sum before either writes it
//@ rc11: assert fails, race fails: the accesses to the sum conflict, and nothing orders them
#include <assert.h>
#include <pthread.h>

static double sum;

static void *add(void *argument) {
    sum += *(const double *)argument;
    return NULL;
}

int main(void) {
    static double numbers[] = {0.25, 0.5};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, &numbers[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(sum == 0.75);
    return 0;
}
