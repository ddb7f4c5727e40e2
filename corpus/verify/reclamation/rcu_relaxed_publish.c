// Read-copy-update that publishes a new copy with a relaxed store; nothing is freed.
//@ sc tso: holds: the copy is written before it is published
//@ pso relaxed armv8 power riscv: assert fails: the copy may be seen before its contents
//@ rc11: assert fails, race fails: the contents are not released
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int copies[2] = { 1, 0 };
static int *_Atomic current = &copies[0];

static void *reader(void *unused) {
    int *copy = atomic_load_explicit(&current, memory_order_acquire);
    assert(*copy != 0);
    return unused;
}

static void *writer(void *unused) {
    copies[1] = 2;
    atomic_store_explicit(&current, &copies[1], memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
