// One thread waits with acquire loads for what nobody writes; the other one's assertion fails.
//@ all: assert fails: the value stays zero
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, value;

static void *waits(void *unused) {
    atomic_store_explicit(&value, 0, memory_order_relaxed);
    while (atomic_load_explicit(&flag, memory_order_acquire) == 0)
        ;
    return unused;
}

static void *fails(void *unused) {
    assert(atomic_load_explicit(&value, memory_order_relaxed) != 0);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, waits, NULL);
    pthread_create(&b, NULL, fails, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
