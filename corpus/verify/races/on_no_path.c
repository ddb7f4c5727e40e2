// Two plain writes on paths that exclude each other.
//@ all: holds: load buffering on relaxed flags is what it would take, and stores behind a branch do not go first
//@ relaxed: open: CheckFence's model knows no dependencies
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int value;

static void *first(void *unused) {
    if (atomic_load_explicit(&x, memory_order_relaxed)) {
        value = 1;
        atomic_store_explicit(&y, 1, memory_order_relaxed);
    }
    return unused;
}

static void *second(void *unused) {
    if (atomic_load_explicit(&y, memory_order_relaxed)) {
        value = 2;
        atomic_store_explicit(&x, 1, memory_order_relaxed);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(value == 0);
    return 0;
}
