// Message passing through a pointer: the reader has only the dependency of the access on the pointer.
//@ sc tso pso: holds: loads stay in order
//@ relaxed: holds: a relaxed load has a load-load fence behind it there
//@ armv8 power riscv: holds: an access does not overtake the load that its address comes from
//@ alpha: assert fails: Alpha does not keep dependent loads in order
//@ rc11: assert fails: the model gives no meaning to dependencies, and the load does not acquire
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data;
static atomic_int *_Atomic message;

static void *thread_1(void *unused) {
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&message, &data, memory_order_release);
    return unused;
}

static void *thread_2(void *unused) {
    atomic_int *seen = atomic_load_explicit(&message, memory_order_relaxed);
    if (seen != NULL)
        assert(atomic_load_explicit(seen, memory_order_relaxed) == 1);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, thread_1, NULL);
    pthread_create(&t2, NULL, thread_2, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
