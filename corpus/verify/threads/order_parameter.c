// Store buffering through wrappers whose parameter is the memory order.
//@ sc: holds: some store comes first, and the other thread then reads it
//@ tso pso relaxed power riscv rc11: assert fails: release and acquire do not order a store before a later load; were the order not looked up, all accesses would be sequentially consistent and this would hold
//@ armv8: holds: a store-release stays before a later load-acquire on this machine, stronger than C11 asks for
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int seen_by_left, seen_by_right;

static void store(atomic_int *to, int value, memory_order order) {
    atomic_store_explicit(to, value, order);
}

static int load(atomic_int *from, memory_order order) {
    return atomic_load_explicit(from, order);
}

static void *left(void *unused) {
    store(&x, 1, memory_order_release);
    seen_by_left = load(&y, memory_order_acquire);
    return unused;
}

static void *right(void *unused) {
    store(&y, 1, memory_order_release);
    seen_by_right = load(&x, memory_order_acquire);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, left, NULL);
    pthread_create(&second, NULL, right, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(seen_by_left || seen_by_right);
    return 0;
}
