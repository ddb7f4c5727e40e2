// Message passing with relaxed accesses.
//@ sc tso: holds: stores are seen in order and loads are performed in order
//@ pso relaxed: assert fails: the store of the flag may be seen before that of the data
//@ armv8 power riscv rc11: assert fails: neither the stores nor the loads need to stay in order
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, flag;

static void *thread_1(void *unused) {
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

static void *thread_2(void *unused) {
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
    }
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
