// Memory orders that are parameters of wrappers.
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;
static struct { memory_order read, write; } orders = { memory_order_acquire, memory_order_release };

static int load(atomic_int *from, memory_order order) {
    return atomic_load_explicit(from, order);
}

static void store(atomic_int *to, int value, memory_order order) {
    atomic_store_explicit(to, value, order);
}

static int add(atomic_int *to, int value, memory_order order) {
    return atomic_fetch_add_explicit(to, value, order);
}

static _Bool swap(atomic_int *at, int *old, int new, memory_order success, memory_order failure) {
    return atomic_compare_exchange_strong_explicit(at, old, new, success, failure);
}

int main(void) {
    int expected = 1;
    store(&x, 3, memory_order_relaxed);
    store(&x, load(&x, orders.read) + 1, orders.write);
    printf("%d", add(&x, 2, memory_order_acq_rel));
    printf(" %d", swap(&x, &expected, 9, memory_order_acq_rel, memory_order_relaxed));
    printf(" %d", expected);
    printf(" %d", swap(&x, &expected, 9, memory_order_seq_cst, memory_order_acquire));
    atomic_thread_fence(orders.write);
    printf(" %d\n", load(&x, memory_order_seq_cst));
    return 0;
}
