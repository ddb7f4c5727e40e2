/* Integer conversions of every length. */
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    printf("%d %i %u %x %X %o %c\n", -42, 42, 42u, 0xbeef, 0xbeef, 8, 'c');
    printf("%hhd %hhu %hhx\n", 300, 300, 300);
    printf("%hd %hu %hx\n", 70000, 70000, 70000);
    printf("%ld %lu %lx %lX %lo\n", LONG_MIN, ULONG_MAX, ULONG_MAX, 255ul, 8l);
    printf("%lld %llu %llx %lli\n", LLONG_MIN, ULLONG_MAX, 0xabcdefull, -1ll);
    printf("%zu %zd %zx\n", (size_t)-1, (ptrdiff_t)-1, sizeof(int));
    printf("%td %jd %ju %jx\n", (ptrdiff_t)5, (intmax_t)-6, (uintmax_t)7, (uintmax_t)255);
    printf("%d %d %d\n", INT_MIN, INT_MAX, 0);
    printf("%x %o %u\n", 0, 0, 0);
    printf("%x %o %u\n", -1, -1, -1);
    printf("%%|%d%%|\n", 5);
    return 0;
}
