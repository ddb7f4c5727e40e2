/* __builtin_add_overflow and its relatives. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    int i;
    unsigned u;
    long l;
    unsigned long ul;
    signed char c;
    printf("%d", __builtin_add_overflow(INT_MAX, 1, &i));
    printf(" %d\n", i);
    printf("%d", __builtin_add_overflow(40, 2, &i));
    printf(" %d\n", i);
    printf("%d", __builtin_sub_overflow(INT_MIN, 1, &i));
    printf(" %d\n", i);
    printf("%d", __builtin_mul_overflow(65536, 65536, &i));
    printf(" %d\n", i);
    printf("%d", __builtin_sub_overflow(1u, 2u, &u));
    printf(" %u\n", u);
    printf("%d", __builtin_mul_overflow(ULONG_MAX, 2ul, &ul));
    printf(" %lu\n", ul);
    printf("%d", __builtin_add_overflow(LONG_MAX, LONG_MAX, &l));
    printf(" %ld\n", l);
    printf("%d", __builtin_add_overflow(100, 100, &c));
    printf(" %d\n", c);
    printf("%d", __builtin_mul_overflow(-1, 1u, &u));
    printf(" %u\n", u);
    printf("%d", __builtin_add_overflow(-1, 1u, &u));
    printf(" %u\n", u);
    printf("%d", __builtin_sadd_overflow(INT_MAX, INT_MAX, &i));
    printf(" %d\n", i);
    printf("%d", __builtin_umul_overflow(0x10000u, 0x10000u, &u));
    printf(" %u\n", u);
    printf("%d", __builtin_ssubl_overflow(LONG_MIN, 1L, &l));
    printf(" %ld\n", l);
    return 0;
}
