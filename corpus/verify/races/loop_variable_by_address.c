// Every thread gets the address of the loop variable, which goes on counting.
//@ sc tso pso relaxed armv8 power riscv: assert fails: a thread may read the number of another one
//@ rc11: race fails, assert fails: the loop counts while the threads read
#include <assert.h>
#include <pthread.h>

static int seen[3];

static void *worker(void *argument) {
    int me = *(int *)argument;
    __atomic_fetch_add(&seen[me], 1, __ATOMIC_RELAXED);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int i;
    for (i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, &i);
    for (int j = 0; j < 2; j++)
        pthread_join(threads[j], NULL);
    assert(seen[0] == 1 && seen[1] == 1);
    return 0;
}
