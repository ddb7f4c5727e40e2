// A barrier of two threads whose sense turns round, used twice.
//@ sc tso armv8 rc11: holds: the last to arrive opens the round, and nobody can run ahead of it
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_int waiting = 2;
static atomic_bool sense;
static int cell[2];

static void barrier(bool *mine) {
    *mine = !*mine;
    if (atomic_fetch_sub(&waiting, 1) == 1) {
        atomic_store(&waiting, 2);
        atomic_store(&sense, *mine);
    } else {
        while (atomic_load(&sense) != *mine)
            ;
    }
}

static void *worker(void *argument) {
    int me = (int)(intptr_t)argument;
    bool mine = false;
    cell[me] = 1;
    barrier(&mine);
    assert(cell[1 - me] == 1);
    barrier(&mine);
    cell[me] = 2;
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
