// A NaN stands for "not measured yet", and a reader asks for it before comparing.
//@ all: holds: a number that is no NaN is above the limit or at or below it
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
    if (isnan(seen)) return unused;
    if (!(seen > 38)) assert(seen <= 38);
    assert(floor(seen) == 36);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, measure, NULL);
    pthread_create(&b, NULL, watch, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(measured == 36.5);
    return 0;
}
