/* The explicit functions with every legal order. */
#include <stdatomic.h>
#include <stdio.h>

int main(void) {
    atomic_int a = ATOMIC_VAR_INIT(1);
    int expected;
    printf("%d ", atomic_load_explicit(&a, memory_order_relaxed));
    printf("%d ", atomic_load_explicit(&a, memory_order_consume));
    printf("%d ", atomic_load_explicit(&a, memory_order_acquire));
    printf("%d\n", atomic_load_explicit(&a, memory_order_seq_cst));
    atomic_store_explicit(&a, 2, memory_order_relaxed);
    atomic_store_explicit(&a, 3, memory_order_release);
    atomic_store_explicit(&a, 4, memory_order_seq_cst);
    printf("%d ", atomic_exchange_explicit(&a, 5, memory_order_acq_rel));
    printf("%d ", atomic_fetch_add_explicit(&a, 5, memory_order_relaxed));
    printf("%d ", atomic_fetch_sub_explicit(&a, 1, memory_order_acquire));
    printf("%d ", atomic_fetch_or_explicit(&a, 6, memory_order_release));
    printf("%d ", atomic_fetch_xor_explicit(&a, 1, memory_order_acq_rel));
    printf("%d\n", atomic_fetch_and_explicit(&a, 7, memory_order_seq_cst));
    expected = 6;
    printf("%d ", atomic_compare_exchange_strong_explicit(&a, &expected, 8, memory_order_acq_rel, memory_order_acquire));
    printf("%d %d\n", expected, atomic_load(&a));
    expected = 1;
    printf("%d ", atomic_compare_exchange_strong_explicit(&a, &expected, 9, memory_order_release, memory_order_relaxed));
    printf("%d %d\n", expected, atomic_load(&a));
    atomic_thread_fence(memory_order_acquire);
    atomic_thread_fence(memory_order_release);
    atomic_thread_fence(memory_order_acq_rel);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_seq_cst);
    printf("%d\n", kill_dependency(a));
    return 0;
}
