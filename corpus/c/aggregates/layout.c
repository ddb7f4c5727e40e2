/* Offsets, padding, size and alignment of structures as the ABI lays them out. */
#include <stddef.h>
#include <stdio.h>

struct a { char c; int i; char d; };
struct b { char c; short s; char d; long l; };
struct c { char c[3]; int i[2]; };
struct d { struct a first; char last; };
struct e { char c; __int128 q; };
struct f { char c; struct { char x; long y; } in; };
struct g { long l; char c; };
struct h { char c; void *p; char d; void (*f)(void); };
struct i { _Bool b; unsigned short s; enum { X } e; };
struct empty {};
struct j { char c; struct empty e; int i; };

#define SIZE(t) printf(#t " %zu %zu\n", sizeof(struct t), _Alignof(struct t))
#define AT(t, m) printf("  ." #m " %zu\n", offsetof(struct t, m))

int main(void) {
    SIZE(a); AT(a, c); AT(a, i); AT(a, d);
    SIZE(b); AT(b, s); AT(b, d); AT(b, l);
    SIZE(c); AT(c, i); AT(c, i[1]);
    SIZE(d); AT(d, last); AT(d, first.d);
    SIZE(e); AT(e, q);
    SIZE(f); AT(f, in); AT(f, in.y);
    SIZE(g); AT(g, c);
    SIZE(h); AT(h, p); AT(h, d); AT(h, f);
    SIZE(i); AT(i, s); AT(i, e);
    SIZE(empty);
    SIZE(j); AT(j, e); AT(j, i);
    struct a array[3];
    printf("%zu\n", sizeof array);
    return 0;
}
