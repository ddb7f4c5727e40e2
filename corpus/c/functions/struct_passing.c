/* Structures of many sizes as parameters and results. */
#include <stdio.h>

struct s1 { char c; };
struct s3 { char c[3]; };
struct s8 { int a, b; };
struct s12 { int a, b, c; };
struct s16 { long a; char *b; };
struct s40 { long v[5]; };
union u { int i; long l; };

static struct s1 f1(struct s1 s) { s.c++; return s; }
static struct s3 f3(struct s3 s) { s.c[1] = s.c[0]; return s; }
static struct s8 f8(struct s8 s) { return (struct s8){ s.b, s.a }; }
static struct s12 f12(struct s12 s, int n) { s.a += n; s.c -= n; return s; }
static struct s16 f16(struct s16 s) { s.a++; s.b++; return s; }
static struct s40 f40(struct s40 s) { for (int i = 0; i < 5; i++) s.v[i] *= 2; return s; }
static union u fu(union u u) { u.l += 1; return u; }
static long many(int a, struct s8 b, char c, struct s40 d, struct s1 e, long f, int g, int h, int i) {
    return a + b.a + b.b + c + d.v[4] + e.c + f + g + h + i;
}

int main(void) {
    struct s1 a = { 'a' };
    struct s3 b = { "xyz" };
    struct s8 c = { 1, 2 };
    struct s12 d = { 1, 2, 3 };
    char text[] = "text";
    struct s16 e = { 5, text };
    struct s40 f = { { 1, 2, 3, 4, 5 } };
    printf("%c %c\n", f1(f1(a)).c, a.c);
    printf("%c%c%c\n", f3(b).c[0], f3(b).c[1], b.c[1]);
    printf("%d %d\n", f8(c).a, f8(f8(c)).a);
    d = f12(f12(d, 10), 5);
    printf("%d %d %d\n", d.a, d.b, d.c);
    printf("%ld %s\n", f16(e).a, f16(f16(e)).b);
    f = f40(f40(f));
    printf("%ld %ld\n", f.v[0], f.v[4]);
    printf("%ld\n", fu((union u){ .l = 41 }).l);
    printf("%ld\n", many(1, c, 2, f, (struct s1){ 3 }, 4, 5, 6, 7));
    struct s8 (*p)(struct s8) = f8;
    printf("%d\n", p((struct s8){ 8, 9 }).a);
    struct s40 *q = &f;
    *q = f40(*q);
    printf("%ld\n", f.v[1]);
    return 0;
}
