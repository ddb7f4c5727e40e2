// READ_ONCE of a local that its thread has just written: no other thread can access it.
//@ sc tso armv8: holds: the local has what was written
//@ lkmm: holds: what a compiler makes of a plain store next to a marked load matters to other threads only
#include <assert.h>
#include <lkmm.h>

static int x;

static void *writer(void *unused) {
    WRITE_ONCE(x, 1);
    return unused;
}

static void *reader(void *unused) {
    int seen = READ_ONCE(x);
    int again = READ_ONCE(seen);
    assert(again == seen);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
