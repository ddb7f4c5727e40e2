// A thread frees a block that another one has filled and published with a release.
//@ lkmm: holds: what is freed depends on the address that was read, and the release orders the filling before it
#include <lkmm.h>
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *frees(void *unused) {
    int *block = READ_ONCE(shared);
    if (block)
        free(block);
    return unused;
}

static void *fills(void *unused) {
    int *block = malloc(sizeof *block);
    *block = 1;
    smp_store_release(&shared, block);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, frees, 0);
    pthread_create(&b, 0, fills, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
