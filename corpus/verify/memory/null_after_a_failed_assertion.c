// The assertion fails in every execution and ends the program: nothing lies past it.
//@ all: assert fails: the counter is one
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;
static int *place;

static void *increment(void *unused) {
    (void)unused;
    count++;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, increment, 0);
    pthread_join(thread, 0);
    assert(count == 2);
    *place = 1;
    return 0;
}
