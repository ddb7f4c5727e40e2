// A shift into the sign bit at the start of main, as flags are often written. Arithmetic that
// overflows goes on, so what goes wrong later counts as well.
//@ all: overflow fails, assert fails: 1 << 31 does not fit an int; an increment is lost
//@ rc11: overflow fails, assert fails, race fails: the increments are plain
#include <assert.h>
#include <pthread.h>

#define FLAG (1 << 31)

static int count;

static void *increment(void *unused) {
    (void)unused;
    count++;
    return 0;
}

int main(void) {
    unsigned flags = FLAG;
    pthread_t a, b;
    pthread_create(&a, 0, increment, 0);
    pthread_create(&b, 0, increment, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2 && flags != 0);
    return 0;
}
