/* Integers to floating-point numbers and back, at the limits of both. */
#include <limits.h>
#include <stdio.h>

static int truncated(double x) { return x; }
static unsigned long unsigned_of(float x) { return (unsigned long)x; }

int main(void) {
    double tests[] = {0.5, -0.5, 2.999, -2.999, 2147483647.5, -2147483648.5};
    for (int i = 0; i < 6; i++) printf("%d ", truncated(tests[i]));
    printf("\n%lu %lu\n", unsigned_of(1e19f), unsigned_of(-0.75f));
    printf("%d %d %u\n", (signed char)-128.9, (unsigned char)255.9, (unsigned)4294967295.5);
    printf("%.1f %.1f\n", (double)ULONG_MAX, (double)LONG_MIN);
    printf("%.1f %.1f\n", (float)INT_MAX, (float)16777217);
    volatile long large = (1L << 53) + 1;
    volatile unsigned long most = ULONG_MAX;
    volatile unsigned char byte = 200;
    printf("%.1f %.1f %.1f\n", (double)large, (float)most, byte / 8.0);
    printf("%.1f\n", (double)((unsigned __int128)1 << 100));
    double third = 1.0 / 3;
    printf("%.17g %.17g\n", (float)third, (double)(float)third);
    enum level { LOW = 3 } level = LOW;
    printf("%g %g\n", level * 1.5, 'a' + 0.5);
    level = 4.2;
    printf("%d\n", level);
    struct { unsigned bits : 5; signed more : 6; } field = {3.7, -4.2};
    printf("%d %d %g\n", field.bits, field.more, field.bits / 2.0);
    printf("%d\n", _Generic(1 + 1.0f, float: 1, double: 2, default: 3));
    printf("%d\n", _Generic(1.0f + 1.0, float: 1, double: 2, default: 3));
    printf("%d\n", _Generic(1 ? 1L : 1.0f, float: 1, double: 2, default: 3));
    return 0;
}
