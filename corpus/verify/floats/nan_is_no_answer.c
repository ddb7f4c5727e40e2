// A NaN stands for "not measured yet". A reader who thinks that a number which is not above the limit
// is at or below it is wrong about a NaN.
//@ all: assert fails: before the measurement neither comparison holds
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic double measured = NAN;

static void *measure(void *unused) {
    atomic_store(&measured, 36.5);
    return unused;
}

static void *watch(void *unused) {
    double seen = atomic_load(&measured);
    if (!(seen > 38)) assert(seen <= 38);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, measure, NULL);
    pthread_create(&b, NULL, watch, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
