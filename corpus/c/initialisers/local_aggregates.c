/* Automatic aggregates are initialised each time their declaration is reached. */
#include <stdio.h>

struct s { int a, b[3]; };

static int f(int x) { return x + 1; }

int main(void) {
    for (int i = 0; i < 3; i++) {
        int a[4] = { i, i * 2 };
        struct s s = { f(i), { a[0], a[1], f(f(i)) } };
        char text[8] = "ab";
        a[3] += 5;
        text[2] = 'c';
        printf("%d %d %d | %d %d %d | %s\n", a[1], a[2], a[3], s.a, s.b[1], s.b[2], text);
    }
    int n = 3;
    int order[3] = { n, n + 1, n * 2 };
    printf("%d %d %d\n", order[0], order[1], order[2]);
    struct s copy = { 0 }, other = copy;
    printf("%d %d\n", other.a, other.b[2]);
    struct s list[2] = { [1] = { .b = { [2] = n } } };
    printf("%d %d\n", list[0].b[2], list[1].b[2]);
    int k = 0;
again:;
    int fresh[2] = { 1 };
    fresh[1] += ++k;
    printf("%d %d\n", fresh[0], fresh[1]);
    if (k < 3) goto again;
    return 0;
}
