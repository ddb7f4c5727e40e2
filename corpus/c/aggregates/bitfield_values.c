/* Bit-fields as values: signedness, truncation, promotion, assignment results, increments. */
#include <stdio.h>

struct s {
    int i : 4;
    unsigned u : 4;
    signed int s : 1;
    _Bool b : 1;
    unsigned long w : 33;
    long l : 35;
    unsigned char c : 6;
    enum { E0, E1, E2, E3 } e : 2;
};

int main(void) {
    struct s s = { 0 };
    s.i = 7;
    s.u = 15;
    printf("%d %d\n", s.i, s.u);
    s.i++;
    s.u++;
    printf("%d %d\n", s.i, s.u);
    printf("%d %d\n", s.i = 0xf, s.u = 0x1f);
    s.s = 1;
    s.b = 6;
    printf("%d %d\n", s.s, s.b);
    s.w = -1;
    s.l = -1;
    printf("%lx %ld\n", (unsigned long)s.w, (long)s.l);
    s.c = 0xff;
    s.e = E3;
    printf("%d %d\n", s.c, s.e);
    s.u = 3;
    printf("%d %d\n", s.u - 5, -s.u);
    printf("%d\n", s.u - 5 < 0);
    s.c += 1;
    s.c -= 2;
    printf("%d\n", s.c);
    s.i = -8;
    s.i--;
    printf("%d\n", s.i);
    s.u <<= 1;
    s.u |= 1;
    s.u ^= 0xf;
    printf("%d\n", s.u);
    printf("%d %d\n", s.u++, (int)s.e);
    printf("%d\n", --s.u);
    int x = s.i = 3;
    printf("%d\n", x);
    struct s copy = s;
    copy.u = 0;
    printf("%d %d\n", s.u, copy.u);
    struct s *p = &copy;
    p->l = 0x7ffffffffL;
    printf("%ld\n", (long)p->l);
    p->w >>= 3;
    printf("%lx\n", (unsigned long)p->w);
    struct { unsigned a : 1, b : 2, c : 29; } init = { 1, 2, 3 };
    printf("%u %u %u\n", init.a, init.b, init.c);
    struct { int plain : 3; } def = { 5 };
    printf("%d\n", def.plain);
    return 0;
}
