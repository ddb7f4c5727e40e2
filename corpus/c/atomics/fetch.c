/* Every fetch-and-operate gives the old value and wraps as its type does. */
#include <stdatomic.h>
#include <stdio.h>

int main(void) {
    atomic_int number = 10;
    printf("%d ", atomic_fetch_add(&number, 5));
    printf("%d ", atomic_fetch_sub(&number, 3));
    printf("%d ", atomic_fetch_or(&number, 3));
    printf("%d ", atomic_fetch_and(&number, 6));
    printf("%d ", atomic_fetch_xor(&number, 5));
    printf("%d\n", number);
    atomic_uchar byte = 250;
    printf("%d ", atomic_fetch_add_explicit(&byte, 10, memory_order_relaxed));
    printf("%d ", byte);
    printf("%d ", atomic_fetch_sub_explicit(&byte, 5, memory_order_acq_rel));
    printf("%d\n", byte);
    atomic_llong wide = 1;
    atomic_fetch_add(&wide, 1LL << 40);
    atomic_fetch_or_explicit(&wide, 6, memory_order_release);
    printf("%lld\n", wide);
    atomic_short small = 32767;
    atomic_fetch_add(&small, 1);
    printf("%d\n", small);
    return 0;
}
