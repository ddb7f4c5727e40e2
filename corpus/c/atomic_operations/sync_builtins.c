/* The older __sync builtins. */
#include <stdio.h>

int main(void) {
    long x = 10;
    printf("%ld ", __sync_fetch_and_add(&x, 5));
    printf("%ld ", __sync_add_and_fetch(&x, 5));
    printf("%ld ", __sync_fetch_and_sub(&x, 3));
    printf("%ld ", __sync_sub_and_fetch(&x, 3));
    printf("%ld ", __sync_fetch_and_or(&x, 32));
    printf("%ld ", __sync_or_and_fetch(&x, 1));
    printf("%ld ", __sync_fetch_and_and(&x, 47));
    printf("%ld ", __sync_and_and_fetch(&x, 39));
    printf("%ld ", __sync_fetch_and_xor(&x, 6));
    printf("%ld ", __sync_xor_and_fetch(&x, 3));
    printf("%ld ", __sync_fetch_and_nand(&x, 8));
    printf("%ld\n", __sync_nand_and_fetch(&x, 8));
    x = 5;
    printf("%d ", __sync_bool_compare_and_swap(&x, 5, 6));
    printf("%d ", __sync_bool_compare_and_swap(&x, 5, 7));
    printf("%ld ", __sync_val_compare_and_swap(&x, 6, 8));
    printf("%ld ", __sync_val_compare_and_swap(&x, 6, 9));
    printf("%ld\n", x);
    int lock = 0;
    printf("%d ", __sync_lock_test_and_set(&lock, 1));
    printf("%d ", __sync_lock_test_and_set(&lock, 1));
    __sync_lock_release(&lock);
    printf("%d\n", lock);
    __sync_synchronize();
    unsigned char c = 250;
    printf("%d ", __sync_add_and_fetch(&c, 10));
    printf("%d\n", __sync_fetch_and_sub(&c, 5));
    int a = 1, b = 2, *p = &a;
    printf("%d %d\n", __sync_bool_compare_and_swap(&p, &a, &b), *p == 2 || *p == 1);
    return 0;
}
