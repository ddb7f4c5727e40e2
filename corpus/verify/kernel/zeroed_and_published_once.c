// A block of zeros is published without a release; the thread that finds it reads it.
//@ sc tso: holds: stores are seen in order
//@ armv8 power riscv: memory fails: the pointer may be seen before the zero
//@ lkmm: memory fails, race fails: nothing orders the zero of the allocation before the read
#include <assert.h>
#include <lkmm.h>
#include <stdlib.h>

static int *shared;

static void *maker(void *unused) {
    int *block = calloc(1, sizeof *block);
    WRITE_ONCE(shared, block);
    return unused;
}

static void *user(void *unused) {
    int *block = READ_ONCE(shared);
    if (block) assert(READ_ONCE(*block) == 0);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, maker, 0);
    pthread_create(&t2, 0, user, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    free(shared);
    return 0;
}
