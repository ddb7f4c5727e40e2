/* 128-bit integers: carries, products, division, shifts, comparison, conversion. */
#include <stdint.h>
#include <stdio.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

static void show(const char *what, u128 value) {
    printf("%s %016lx%016lx\n", what, (unsigned long)(value >> 64), (unsigned long)value);
}

static void decimal(i128 value) {
    char digits[48];
    int at = 47;
    digits[at] = 0;
    u128 magnitude = value < 0 ? -(u128)value : (u128)value;
    do {
        digits[--at] = '0' + (int)(magnitude % 10);
        magnitude /= 10;
    } while (magnitude);
    if (value < 0) digits[--at] = '-';
    printf("%s\n", digits + at);
}

int main(void) {
    u128 a = (u128)UINT64_MAX * UINT64_MAX;
    show("product", a);
    show("sum", a + 1);
    show("difference", (u128)0 - 1);
    show("carry", (u128)UINT64_MAX + 1);
    show("shift", (u128)1 << 100);
    show("shift", a >> 70);
    i128 n = -((i128)1 << 80);
    decimal(n);
    decimal(n >> 4);
    decimal(n / 7);
    decimal(n % 7);
    decimal(-(n + 1));
    show("quotient", a / 1000000007u);
    show("remainder", a % 1000000007u);
    show("divide", a / ((u128)3 << 64));
    printf("%d %d %d\n", n < 0, (u128)n > a, a == a);
    printf("%d %ld %u\n", (int)n, (long)(n >> 20), (unsigned)(a >> 3));
    i128 from = (int)-5;
    show("extended", from);
    u128 zero = (unsigned)-5;
    show("extended", zero);
    show("bits", (a & ~(u128)0xff) | 0x42);
    show("bits", a ^ (a >> 1));
    printf("%zu %zu\n", sizeof a, _Alignof(u128));
    struct { char c; i128 v; } pair = { 1, -2 };
    printf("%zu %ld\n", sizeof pair, (long)pair.v);
    _Bool truth = (u128)1 << 127;
    printf("%d %d\n", truth, !a);
    return 0;
}
