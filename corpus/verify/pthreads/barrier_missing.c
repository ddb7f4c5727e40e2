// Two threads write and read what the other wrote, without the barrier between.
//@ sc tso pso relaxed armv8 power riscv: assert fails: the other may not have written yet
//@ rc11: race fails, assert fails: nothing orders the write and the read
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int cell[2];

static void *worker(void *argument) {
    int me = (int)(intptr_t)argument;
    cell[me] = me + 1;
    assert(cell[1 - me] == 2 - me);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
