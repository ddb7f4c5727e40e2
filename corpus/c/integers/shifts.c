/* Shifts: signed right shifts keep the sign, results have the left operand's type. */
#include <stdio.h>

int main(void) {
    int i = -17;
    unsigned u = 0xf0000001u;
    long l = 1L << 40;
    unsigned char c = 0x81;
    printf("%d %d %d\n", i >> 1, i >> 4, i >> 31);
    printf("%x %x %x\n", u >> 4, u << 4, u >> 31);
    printf("%lx %lx\n", l, l >> 39);
    printf("%x %x\n", c << 1, c >> 1);
    printf("%zu %zu %zu\n", sizeof(c << 1), sizeof(1 << 1L), sizeof(1L << 1));
    printf("%lx\n", 1ul << 63);
    printf("%lx\n", (unsigned long)1 << 33 | 1u << 31);
    signed char s = -128;
    printf("%d %d\n", s >> 3, (unsigned char)s >> 3);
    u <<= 1;
    printf("%x\n", u);
    u >>= 3;
    printf("%x\n", u);
    i >>= 2;
    printf("%d\n", i);
    for (int n = 0; n < 64; n += 9) printf("%lx ", 0x8000000000000001ul >> n);
    printf("\n");
    for (int n = 0; n < 32; n += 5) printf("%d ", (int)0x80000000 >> n);
    printf("\n");
    return 0;
}
