/* gcc's __atomic built-ins on ordinary objects. */
#include <stdio.h>

int main(void) {
    int number = 1, other = 8, result;
    long wide = 0;
    printf("%d ", __atomic_load_n(&number, __ATOMIC_ACQUIRE));
    __atomic_store_n(&number, 5, __ATOMIC_RELEASE);
    __atomic_load(&number, &result, __ATOMIC_RELAXED);
    printf("%d ", result);
    __atomic_store(&number, &other, __ATOMIC_SEQ_CST);
    __atomic_exchange(&number, &result, &other, __ATOMIC_SEQ_CST);
    printf("%d %d ", other, number);
    printf("%d ", __atomic_exchange_n(&number, 3, __ATOMIC_ACQ_REL));
    printf("%d\n", number);
    int expected = 2;
    printf("%d ", __atomic_compare_exchange_n(&number, &expected, 4, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    printf("%d ", expected);
    int desired = 12;
    printf("%d ", __atomic_compare_exchange(&number, &expected, &desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    printf("%d\n", number);
    printf("%d ", __atomic_fetch_add(&number, 3, __ATOMIC_RELAXED));
    printf("%d ", __atomic_add_fetch(&number, 3, __ATOMIC_RELAXED));
    printf("%d ", __atomic_fetch_sub(&number, 1, __ATOMIC_RELAXED));
    printf("%d ", __atomic_sub_fetch(&number, 1, __ATOMIC_RELAXED));
    printf("%d ", __atomic_fetch_and(&number, 0x1e, __ATOMIC_RELAXED));
    printf("%d ", __atomic_and_fetch(&number, 0x1c, __ATOMIC_RELAXED));
    printf("%d ", __atomic_fetch_or(&number, 1, __ATOMIC_RELAXED));
    printf("%d ", __atomic_or_fetch(&number, 2, __ATOMIC_RELAXED));
    printf("%d ", __atomic_fetch_xor(&number, 7, __ATOMIC_RELAXED));
    printf("%d ", __atomic_xor_fetch(&number, 1, __ATOMIC_RELAXED));
    printf("%d ", __atomic_fetch_nand(&number, 6, __ATOMIC_RELAXED));
    printf("%d\n", __atomic_nand_fetch(&number, 6, __ATOMIC_RELAXED));
    char flag = 0;
    printf("%d ", __atomic_test_and_set(&flag, __ATOMIC_ACQUIRE));
    printf("%d ", __atomic_test_and_set(&flag, __ATOMIC_ACQUIRE));
    __atomic_clear(&flag, __ATOMIC_RELEASE);
    printf("%d\n", flag);
    printf("%d %d\n", __atomic_always_lock_free(sizeof wide, 0), __atomic_is_lock_free(4, &number));
    printf("%ld\n", __atomic_add_fetch(&wide, 1L << 33, __ATOMIC_SEQ_CST));
    return 0;
}
