// The same ring with relaxed accesses to the index of the producer.
//@ sc tso: holds: stores are seen in order
//@ pso relaxed armv8 power riscv: assert fails: the index may be seen before the value
//@ rc11: assert fails, race fails: the value is not released
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int ring[2];
static atomic_uint written;

static void *producer(void *unused) {
    for (unsigned i = 0; i < 2; i++) {
        ring[i] = (int)i + 1;
        atomic_store_explicit(&written, i + 1, memory_order_relaxed);
    }
    return unused;
}

static void *consumer(void *unused) {
    unsigned count = atomic_load_explicit(&written, memory_order_acquire);
    for (unsigned i = 0; i < count; i++)
        assert(ring[i] == (int)i + 1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
