/* Padding is copied with a struct and cleared by an initialiser, so whole structs compare equal. */
#include <stdio.h>
#include <string.h>

struct s {
    char a;
    int b;
    short c;
};
struct nest {
    char tag;
    struct s inner;
    char end;
};

static struct s by_value(struct s x) { return x; }

int main(void) {
    struct s zero = {0}, other = {0};
    printf("%d\n", memcmp(&zero, &other, sizeof zero));

    struct s x, y;
    memset(&x, 0, sizeof x);
    memset(&y, 1, sizeof y);
    x.a = 1;
    x.b = 2;
    y = x;
    printf("%d\n", memcmp(&x, &y, sizeof x));

    struct nest m, n;
    memset(&m, 7, sizeof m);
    memset(&n, 9, sizeof n);
    m.inner.b = -1;
    n = m;
    printf("%d\n", memcmp(&m, &n, sizeof m));

    struct s z = by_value(x);
    z = by_value(z);
    printf("%d %d %d\n", z.a, z.b, z.c);
    return 0;
}
