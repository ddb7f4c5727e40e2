/* Copies of structures: through pointers, onto themselves, nested, volatile, from calls. */
#include <stdio.h>
#include <string.h>

struct big { char tag; int v[5]; struct { short a, b; long c; } in[2]; };

static struct big make(int n) {
    struct big b = { 't', { n, n + 1 }, { { 1, 2, n }, { 3, 4, -n } } };
    return b;
}

static struct big pass(struct big a, struct big b, int which) { return which ? a : b; }
static struct big *same(struct big *p) { return p; }

struct wrap { struct big first, second; };

int main(void) {
    struct big a = make(1), b = make(10), c;
    c = a;
    c = c;
    *same(&c) = *same(&b);
    printf("%d %ld\n", c.v[1], c.in[1].c);
    c = pass(a, b, 1);
    printf("%d %ld\n", c.v[1], c.in[1].c);
    struct wrap w = { a, make(5) }, x = w;
    x.first = x.second;
    w.second = x.first = make(7);
    printf("%d %d %d\n", x.first.v[0], x.second.v[0], w.second.v[0]);
    a.in[0] = b.in[1];
    printf("%d %ld\n", a.in[0].a, a.in[0].c);
    struct big list[3] = { a, b };
    list[2] = list[0];
    list[0] = list[1] = list[2];
    printf("%d %d\n", list[0].v[0], list[1].v[0]);
    volatile struct big v = a;
    v.v[2] = 9;
    struct big from = v;
    printf("%d\n", from.v[2]);
    printf("%d\n", (a = b, a).v[0]);
    printf("%d\n", (a = make(20)).v[1]);
    int i = 0;
    list[i++] = make(4);
    struct big *p = list;
    *p++ = *(i == 1 ? &b : &c);
    printf("%d %d\n", (int)(p - list), list[0].v[0]);
    const struct big k = make(3);
    memcpy(&c, &k, sizeof c);
    printf("%d\n", c.v[0]);
    return 0;
}
