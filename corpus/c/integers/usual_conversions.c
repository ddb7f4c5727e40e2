/* The usual arithmetic conversions between signed and unsigned of all ranks. */
#include <stdio.h>

int main(void) {
    int i = -1;
    unsigned u = 1;
    long l = -1;
    unsigned long ul = 1;
    long long ll = -1;
    short s = -1;
    unsigned char uc = 255;
    printf("%d %d %d\n", i < u, l < u, l < ul);
    printf("%d %d %d\n", s < u, s < uc, ll < ul);
    printf("%u %ld\n", i + u, l + u);
    printf("%lu\n", l * ul);
    printf("%u\n", -u);
    printf("%ld\n", (long)-u);
    printf("%ld\n", -(long)u);
    printf("%d %d\n", i == (unsigned)-1, l == (unsigned)-1);
    printf("%d\n", i == ~0ul);
    printf("%zu %zu %zu %zu\n", sizeof(i + u), sizeof(u + l), sizeof(s + uc), sizeof(ll + ul));
    printf("%lld\n", (1 ? i : u) + 0ll);
    printf("%lld\n", (1 ? i : l) + 0ll);
    printf("%u\n", i / 2u);
    printf("%ld\n", i / 2l);
    printf("%d\n", i / 2);
    printf("%u\n", u - 2);
    printf("%d\n", (u - 2) > 0);
    return 0;
}
