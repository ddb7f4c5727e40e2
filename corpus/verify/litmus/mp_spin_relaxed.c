// Message passing whose reader waits with relaxed loads.
//@ sc tso pso: holds: loads stay in order
//@ relaxed: holds: a relaxed load has a load-load fence behind it there
//@ armv8 power riscv: assert fails: a branch does not keep a later load behind it
//@ rc11: assert fails, race fails: a relaxed load acquires nothing
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *thread_1(void *unused) {
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return unused;
}

static void *thread_2(void *unused) {
    while (!atomic_load_explicit(&flag, memory_order_relaxed))
        ;
    assert(data == 1);
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
