/* and, or, xor, not; masks and the classic bit tricks. */
#include <stdint.h>
#include <stdio.h>

static int count(uint32_t x) {
    x = x - ((x >> 1) & 0x55555555u);
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0fu;
    return (x * 0x01010101u) >> 24;
}

static uint32_t reverse(uint32_t x) {
    uint32_t r = 0;
    for (int i = 0; i < 32; i++) r |= (x >> i & 1u) << (31 - i);
    return r;
}

int main(void) {
    int a = 0x0ff0, b = 0x3c3c;
    printf("%x %x %x %x\n", a & b, a | b, a ^ b, ~a);
    printf("%d %d\n", a & -a, (a - 1) & ~a);
    a &= ~0xf0;
    a |= 1;
    a ^= 0xff;
    printf("%x\n", a);
    printf("%d %d %d\n", count(0), count(0xffffffff), count(0x12345678));
    printf("%08x %08x\n", reverse(1), reverse(0x12345678));
    printf("%d\n", 1 & 3 == 3);
    printf("%d\n", (6 & 3) == 2);
    printf("%lx\n", ~0ul ^ 0xfful);
    printf("%d %d\n", ~(char)0, (unsigned char)~0);
    return 0;
}
