// A thread writes a shared variable plainly and reads it with READ_ONCE, with no barrier between.
//@ sc tso armv8: holds: both are accesses of the machine
//@ lkmm: race fails: the model cannot say what a compiler makes of the two (mixed-accesses)
#include <assert.h>
#include <lkmm.h>

static int x;

static void *writer(void *unused) {
    x = 1;
    assert(READ_ONCE(x) == 1);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    pthread_join(t, NULL);
    assert(READ_ONCE(x) == 1);
    return 0;
}
