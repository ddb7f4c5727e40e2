/* The __atomic builtins on plain objects. */
#include <stdio.h>

int main(void) {
    int x = 1, y, e;
    __atomic_store_n(&x, 5, __ATOMIC_RELEASE);
    printf("%d\n", __atomic_load_n(&x, __ATOMIC_ACQUIRE));
    printf("%d ", __atomic_exchange_n(&x, 6, __ATOMIC_ACQ_REL));
    printf("%d ", __atomic_fetch_add(&x, 4, __ATOMIC_RELAXED));
    printf("%d ", __atomic_add_fetch(&x, 4, __ATOMIC_RELAXED));
    printf("%d ", __atomic_fetch_sub(&x, 1, __ATOMIC_SEQ_CST));
    printf("%d ", __atomic_sub_fetch(&x, 1, __ATOMIC_SEQ_CST));
    printf("%d ", __atomic_fetch_or(&x, 3, __ATOMIC_SEQ_CST));
    printf("%d ", __atomic_or_fetch(&x, 16, __ATOMIC_SEQ_CST));
    printf("%d ", __atomic_fetch_and(&x, 29, __ATOMIC_SEQ_CST));
    printf("%d ", __atomic_and_fetch(&x, 27, __ATOMIC_SEQ_CST));
    printf("%d ", __atomic_fetch_xor(&x, 5, __ATOMIC_SEQ_CST));
    printf("%d ", __atomic_xor_fetch(&x, 5, __ATOMIC_SEQ_CST));
    printf("%d ", __atomic_fetch_nand(&x, 10, __ATOMIC_SEQ_CST));
    printf("%d\n", __atomic_nand_fetch(&x, 12, __ATOMIC_SEQ_CST));
    y = 40;
    __atomic_store(&x, &y, __ATOMIC_RELAXED);
    __atomic_load(&x, &e, __ATOMIC_RELAXED);
    printf("%d\n", e);
    y = 41;
    __atomic_exchange(&x, &y, &e, __ATOMIC_SEQ_CST);
    printf("%d %d\n", x, e);
    e = 41;
    y = 42;
    printf("%d ", __atomic_compare_exchange(&x, &e, &y, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    printf("%d\n", x);
    printf("%d ", __atomic_compare_exchange_n(&x, &e, 43, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
    printf("%d %d\n", x, e);
    unsigned char flag = 0;
    printf("%d ", __atomic_test_and_set(&flag, __ATOMIC_ACQUIRE));
    printf("%d ", __atomic_test_and_set(&flag, __ATOMIC_ACQUIRE));
    __atomic_clear(&flag, __ATOMIC_RELEASE);
    printf("%d\n", flag);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    __atomic_signal_fence(__ATOMIC_ACQUIRE);
    printf("%d\n", __atomic_always_lock_free(4, 0));
    unsigned short h = 65535;
    printf("%d ", __atomic_add_fetch(&h, 2, __ATOMIC_RELAXED));
    printf("%d\n", h);
    int array[3] = { 1, 2, 3 };
    int *p = array;
    __atomic_fetch_add(&p, 2 * sizeof(int), __ATOMIC_RELAXED);
    printf("%d\n", *p);
    struct { int a, b; } s = { 1, 2 }, t = { 3, 4 }, u;
    __atomic_exchange(&s, &t, &u, __ATOMIC_SEQ_CST);
    printf("%d %d\n", s.b, u.b);
    return 0;
}
