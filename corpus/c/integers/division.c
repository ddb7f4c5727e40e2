/* Division truncates toward zero and the remainder takes the dividend's sign. */
#include <limits.h>
#include <stdio.h>

int main(void) {
    int pairs[][2] = { { 7, 2 }, { -7, 2 }, { 7, -2 }, { -7, -2 }, { 0, 5 }, { 1, 5 }, { -1, 5 },
        { INT_MAX, -1 }, { INT_MIN, 2 }, { INT_MIN, INT_MAX }, { INT_MIN, 1 } };
    for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        int a = pairs[i][0], b = pairs[i][1];
        printf("%d %d: %d %d\n", a, b, a / b, a % b);
    }
    printf("%u %u\n", -7u / 2, -7u % 10);
    printf("%u %u\n", -7 / 2u, -7 % 2u);
    printf("%ld %ld\n", LONG_MIN / 10, LONG_MIN % 10);
    printf("%lu %lu\n", ULONG_MAX / 10, ULONG_MAX % 10);
    signed char a = -128, b = -1;
    printf("%d %d\n", a / b, a % 3);
    unsigned short s = 65535;
    printf("%d %d\n", s / -2, -s % 7);
    int x = 100;
    x /= 7;
    x %= 4;
    printf("%d\n", x);
    return 0;
}
