/* op= computes in the common type and converts back; the left side is evaluated once. */
#include <stdio.h>

static int calls;
static int *next(int *p) {
    calls++;
    return p;
}

int main(void) {
    unsigned char c = 200;
    c += 100;
    printf("%d\n", c);
    c -= 45;
    printf("%d\n", c);
    c *= 2;
    printf("%d\n", c);
    c /= -3;
    printf("%d\n", c);
    c <<= 3;
    printf("%d\n", c);
    short s = -5;
    s >>= 1;
    printf("%d\n", s);
    s %= 2;
    printf("%d\n", s);
    s |= 0x7000;
    s ^= 0x0f0f;
    s &= 0x7ff0;
    printf("%x\n", s);
    int x = 10;
    *next(&x) += 5;
    *next(&x) <<= 2;
    printf("%d %d\n", x, calls);
    long l = 1;
    l += -2u + 0l;
    printf("%ld\n", l);
    unsigned u = 7;
    u /= -1;
    printf("%u\n", u);
    int a = 1, b = 2, d = 3;
    a = b = d;
    printf("%d %d\n", a, b);
    a -= b -= 1;
    printf("%d %d\n", a, b);
    return 0;
}
