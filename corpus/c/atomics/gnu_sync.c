/* gcc's older __sync built-ins. */
#include <stdio.h>

int main(void) {
    int number = 10;
    printf("%d ", __sync_fetch_and_add(&number, 2));
    printf("%d ", __sync_add_and_fetch(&number, 2));
    printf("%d ", __sync_fetch_and_sub(&number, 1));
    printf("%d ", __sync_sub_and_fetch(&number, 1));
    printf("%d ", __sync_fetch_and_or(&number, 1));
    printf("%d ", __sync_or_and_fetch(&number, 2));
    printf("%d ", __sync_fetch_and_and(&number, 14));
    printf("%d ", __sync_and_and_fetch(&number, 12));
    printf("%d ", __sync_fetch_and_xor(&number, 5));
    printf("%d\n", __sync_xor_and_fetch(&number, 5));
    printf("%d ", __sync_bool_compare_and_swap(&number, 1, 2));
    printf("%d ", number);
    printf("%d ", __sync_bool_compare_and_swap(&number, 12, 2));
    printf("%d ", number);
    printf("%d ", __sync_val_compare_and_swap(&number, 2, 3));
    printf("%d\n", number);
    int lock = 0;
    printf("%d ", __sync_lock_test_and_set(&lock, 1));
    printf("%d ", __sync_lock_test_and_set(&lock, 1));
    __sync_lock_release(&lock);
    printf("%d\n", lock);
    int *pointer = &number, *null = 0;
    printf("%d ", __sync_bool_compare_and_swap(&pointer, &number, null));
    printf("%d\n", pointer == null);
    return 0;
}
