// A block is published without a release; the thread that finds it writes to it.
//@ sc tso armv8 power riscv: holds: the store is to a block that has been allocated
//@ lkmm: race fails: nothing orders the allocation before the store
#include <lkmm.h>
#include <stdlib.h>

static int *shared;

static void *maker(void *unused) {
    int *block = malloc(sizeof *block);
    WRITE_ONCE(shared, block);
    return unused;
}

static void *user(void *unused) {
    int *block = READ_ONCE(shared);
    if (block) WRITE_ONCE(*block, 1);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, maker, 0);
    pthread_create(&t2, 0, user, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    WRITE_ONCE(*shared, 2);
    free(shared);
    return 0;
}
