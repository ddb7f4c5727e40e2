/* The limits of every integer type, from limits.h and stdint.h. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    printf("%d %d %d %d\n", CHAR_BIT, CHAR_MIN, CHAR_MAX, UCHAR_MAX);
    printf("%d %d %d\n", SCHAR_MIN, SCHAR_MAX, SHRT_MIN);
    printf("%d %d\n", SHRT_MAX, USHRT_MAX);
    printf("%d %d %u\n", INT_MIN, INT_MAX, UINT_MAX);
    printf("%ld %ld %lu\n", LONG_MIN, LONG_MAX, ULONG_MAX);
    printf("%lld %lld %llu\n", LLONG_MIN, LLONG_MAX, ULLONG_MAX);
    printf("%d %d %u\n", INT8_MIN, INT8_MAX, UINT8_MAX);
    printf("%d %d %u\n", INT16_MIN, INT16_MAX, UINT16_MAX);
    printf("%d %d %u\n", INT32_MIN, INT32_MAX, UINT32_MAX);
    printf("%ld %ld %lu\n", INT64_MIN, INT64_MAX, UINT64_MAX);
    printf("%lu %ld %lu\n", UINTPTR_MAX, INTPTR_MIN, SIZE_MAX);
    printf("%ld %ld %lu\n", INTMAX_MIN, INTMAX_MAX, UINTMAX_MAX);
    printf("%ld %ld\n", PTRDIFF_MIN, PTRDIFF_MAX);
    printf("%lu %lu %lu\n", (unsigned long)INT64_C(5), UINT64_C(6), UINTMAX_C(7));
    return 0;
}
