// Two threads write, meet at a barrier, and read what the other wrote.
//@ all: holds: the barrier lies between all writes and all reads
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_barrier_t barrier;
static int cell[2];

static void *worker(void *argument) {
    int me = (int)(intptr_t)argument;
    cell[me] = me + 1;
    pthread_barrier_wait(&barrier);
    assert(cell[1 - me] == 2 - me);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_barrier_init(&barrier, NULL, 2);
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
