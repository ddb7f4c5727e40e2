// Two threads write adjacent bit-fields, which are one memory location.
//@ sc tso pso relaxed armv8 power riscv: assert fails: each writes the whole unit, with an old copy of the other field
//@ rc11: race fails, assert fails: adjacent bit-fields are one memory location in C11
#include <assert.h>
#include <pthread.h>

static struct {
    unsigned left : 4, right : 4;
} flags;

static void *first(void *unused) {
    flags.left = 1;
    return unused;
}

static void *second(void *unused) {
    flags.right = 2;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(flags.left == 1 && flags.right == 2);
    return 0;
}
