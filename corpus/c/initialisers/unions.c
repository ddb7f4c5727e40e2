/* Unions in initialisers: further parts of one member stay, another member replaces it. */
#include <stdio.h>

struct pair { int a, b; };
union u { struct pair p; long l; unsigned char c[8]; };
struct s { int kind; union u u; int tail; };
struct named { char name[4]; int n; };

int main(void) {
    union u x = { .p.a = 1, .p.b = 2 };
    union u y = { .p.b = 2, .l = 5 };
    union u z = { .l = -1, .p.a = 7 };
    printf("%d %d %ld %d\n", x.p.a, x.p.b, y.l, z.p.a);
    struct s s = { .u.p.b = 4, .kind = 1, .u.p.a = 3, .tail = 9 };
    printf("%d %d %d %d\n", s.kind, s.u.p.a, s.u.p.b, s.tail);
    struct s t = { 1, { .c = { 1, 2 } }, 3 };
    printf("%d %d %ld %d\n", t.u.c[0], t.u.c[1], t.u.l, t.tail);
    struct s flat = { 1, 2, 3, 4 };
    printf("%d %d %d %d\n", flat.kind, flat.u.p.a, flat.u.p.b, flat.tail);
    struct named list[] = { "abc", 1, "de", 2, { "f", 3 } };
    printf("%zu %s %d %s %d %s %d\n", sizeof list / sizeof *list, list[0].name, list[0].n, list[1].name,
        list[1].n, list[2].name, list[2].n);
    struct { struct pair p; int n; struct pair q; } mixed = { s.u.p, 5, (struct pair){ 6, 7 } };
    printf("%d %d %d %d\n", mixed.p.a, mixed.n, mixed.q.a, mixed.q.b);
    static union u fixed[2] = { { .c[7] = 1 }, { .p = { 1, 1 } } };
    printf("%lx %lx\n", fixed[0].l, fixed[1].l);
    return 0;
}
