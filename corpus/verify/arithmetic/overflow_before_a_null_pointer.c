// A sum that overflows, and later a store through a null pointer in every execution: the store is
// found past the overflow, but nothing past the store is known.
//@ all: overflow fails, memory fails: no execution goes on past the store
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum = INT_MAX;
static int *place;

static void *increment(void *unused) {
    (void)unused;
    int own = sum;
    own++;
    sum = own;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, increment, 0);
    pthread_join(thread, 0);
    *place = sum;
    assert(sum > 0);
    return 0;
}
