/* typedef of everything, scopes, and names that shadow. */
#include <stdio.h>

typedef unsigned char byte;
typedef int row[3];
typedef row grid[2];
typedef int (*binary)(int, int);
typedef struct pair { int a, b; } pair, *pair_pointer;
typedef const char *text;
typedef enum { LOW, HIGH } level;
typedef int function(int);
typedef long number, *number_pointer, numbers[2];

static function twice;
static int twice(int x) { return 2 * x; }
static int add(int a, int b) { return a + b; }

int main(void) {
    byte b = 300 & 0xff;
    grid g = { { 1, 2, 3 }, { 4, 5, 6 } };
    binary f = add;
    pair p = { 1, 2 };
    pair_pointer q = &p;
    text t = "text";
    level l = HIGH;
    function *h = twice;
    number n = 7;
    number_pointer np = &n;
    numbers ns = { 8, 9 };
    printf("%d %d %d %d %s %d %d\n", b, g[1][2], f(1, 2), q->b, t, l, h(21));
    printf("%ld %ld %zu %zu\n", *np, ns[1], sizeof(grid), sizeof ns);
    {
        typedef short byte;
        byte wide = 300;
        printf("%d %zu\n", wide, sizeof(byte));
        int pair = 5;
        printf("%d\n", pair);
    }
    printf("%zu\n", sizeof(byte));
    unsigned byte_count = sizeof(row) / sizeof(int);
    printf("%u\n", byte_count);
    for (; n < 9; n++) if (n == 8) goto out;
out:
    printf("%ld\n", n);
    return 0;
}
