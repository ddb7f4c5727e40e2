// A sequence lock whose reader has no fence before its second look.
//@ sc tso pso: holds: loads stay in order
//@ relaxed: holds: a relaxed load has a load-load fence behind it there
//@ armv8 power riscv rc11: assert fails: the second look may come before the data is read
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int first, second;

static void *writer(void *unused) {
    unsigned now = atomic_load_explicit(&sequence, memory_order_relaxed);
    atomic_store_explicit(&sequence, now + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&first, 1, memory_order_relaxed);
    atomic_store_explicit(&second, 1, memory_order_relaxed);
    atomic_store_explicit(&sequence, now + 2, memory_order_release);
    return unused;
}

static void *reader(void *unused) {
    unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
    int one = atomic_load_explicit(&first, memory_order_relaxed);
    int two = atomic_load_explicit(&second, memory_order_relaxed);
    unsigned after = atomic_load_explicit(&sequence, memory_order_relaxed);
    if (before == after && before % 2 == 0)
        assert(one == two);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
