/* Bit-fields in static initialisers, in unions, in arrays, negative and overflowing. */
#include <stdio.h>

struct b { int a : 5; unsigned b : 3; long c : 40; unsigned char d : 2; _Bool e : 1; };
static struct b one = { -3, 5, -123456789012, 3, 1 };
static struct b many[3] = { [1] = { .c = 77, .a = 15 }, [2] = { 16, 9, 1L << 39, 7, 4 } };
static union { struct b s; unsigned long words[2]; } u = { { 1, 2, 3 } };
static const struct { unsigned x : 4, : 4, y : 8; int z : 16; } gap = { 9, 200, -2 };

static struct b make(int n) {
    struct b r = { n, n, n, n, n };
    return r;
}

static int total(struct b v) { return v.a + v.b + (int)v.c + v.d + v.e; }

int main(void) {
    printf("%d %d %ld %d %d\n", one.a, one.b, (long)one.c, one.d, one.e);
    for (int i = 0; i < 3; i++)
        printf("%d %d %ld %d %d\n", many[i].a, many[i].b, (long)many[i].c, many[i].d, many[i].e);
    printf("%lx\n", u.words[0] & 0xffff);
    printf("%d %d %d\n", gap.x, gap.y, gap.z);
    for (int n = -20; n < 40; n += 17) {
        struct b v = make(n);
        printf("%d %d %ld %d %d %d\n", v.a, v.b, (long)v.c, v.d, v.e, total(make(n)));
    }
    volatile struct b vol = one;
    vol.a += 4;
    vol.b = vol.a;
    printf("%d %d\n", vol.a, vol.b);
    struct b *p = &many[1];
    p->c++, ++p->b, p->a--, p->d ^= 3, p->e = !p->e;
    printf("%ld %d %d %d %d\n", (long)p->c, p->b, p->a, p->d, p->e);
    printf("%d\n", (p->b = 12) + (p->a = -17));
    return 0;
}
