/* Names that mean different things in different scopes and name spaces. */
#include <stdio.h>

struct x { int x; };
enum { y = 5 };
typedef int t;
static int f(int t) { return t + 1; }
static t g(t t) { return t * 2; }
static int size(int n[sizeof(struct x { int a[4]; })]) { return (int)sizeof n; }

int main(void) {
    struct x x = { 1 };
    x.x = x.x + y;
    int y = x.x;
    printf("%d %d %d %d\n", x.x, y, f(3), g(4));
    {
        enum { y = 9 };
        struct x { char c; } x = { 'x' };
        printf("%d %c %zu\n", y, x.c, sizeof(struct x));
    }
    printf("%d %zu\n", y, sizeof(struct x));
    goto x;
x:
    for (int y = 0, x = 3; y < x; y++) {
        int x = y * 10;
        printf("%d ", x);
    }
    printf("\n");
    t z = 4;
    {
        int t = 6;
        z = t * z;
    }
    printf("%d %d\n", z, size(0));
    if (sizeof(enum { late = 7 })) printf("%d\n", late);
    int a = 1, b = a + 1, c = b * sizeof c;
    printf("%d\n", c);
    extern int outside;
    printf("%d\n", outside);
    { int outside = 2; printf("%d\n", outside); }
    int (printf_like)(const char *, ...);
    struct { int printf; } m = { 8 };
    printf("%d\n", m.printf);
    return 0;
}

int outside = 77;
