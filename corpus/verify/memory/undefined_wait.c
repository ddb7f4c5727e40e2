// A thread waits until a flag in a new block is set, which nobody has set to 0 before.
//@ all: memory fails, liveness open: the first look may find what the allocation left undefined
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

static void *waits(void *block) {
    atomic_int *flag = block;
    bool done;
    for (done = false; !done;)
        done = atomic_load(flag) == 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    atomic_int *flag = malloc(sizeof *flag);
    if (!flag)
        return 1;
    pthread_create(&thread, 0, waits, flag);
    atomic_store(flag, 1);
    pthread_join(thread, 0);
    free(flag);
    return 0;
}
