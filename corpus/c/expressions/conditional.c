/* ?: with mixed types, omitted middles, structures, void, and as an lvalue's address. */
#include <stdio.h>

struct s { int v; };

static int calls;
static int once(int v) { calls++; return v; }
static void yes(void) { printf("yes\n"); }
static void no(void) { printf("no\n"); }

int main(void) {
    int t = 1, f = 0;
    printf("%d %d\n", t ? 1 : 2, f ? 1 : 2);
    printf("%ld\n", t ? -1 : 2l);
    printf("%u %d\n", t ? -1 : 2u, (t ? -1 : 2u) > 0);
    printf("%d\n", (t ? (unsigned char)255 : (signed char)-1));
    printf("%d ", once(7) ?: 9);
    printf("%d\n", calls);
    printf("%d\n", once(0) ?: 9);
    printf("%s\n", (char *)0 ?: "default");
    struct s a = { 1 }, b = { 2 };
    printf("%d %d\n", (t ? a : b).v, (f ? a : b).v);
    (t ? &a : &b)->v = 10;
    *(f ? &a.v : &b.v) = 20;
    printf("%d %d\n", a.v, b.v);
    t ? yes() : no();
    f ? yes() : no();
    int *p = t ? &a.v : 0;
    const int *q = f ? p : (const int *)&b.v;
    printf("%d %d\n", *p, *q);
    void *v = t ? (void *)p : (void *)q;
    printf("%d\n", v == p);
    int n = 15;
    printf("%s\n", n % 15 == 0 ? "both" : n % 5 == 0 ? "five" : n % 3 == 0 ? "three" : "none");
    printf("%d\n", (t ? f ? 1 : 2 : 3));
    printf("%zu\n", sizeof(t ? (char)1 : (char)2));
    char array[2][4] = { "abc", "def" };
    printf("%s\n", t ? array[1] : "x");
    return 0;
}
