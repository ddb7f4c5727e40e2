/* Function-like macros: arguments, nesting, names without parentheses, arguments over lines. */
#include <stdio.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SQUARE(x) ((x) * (x))
#define TWICE(f, x) f(f(x))
#define ID(x) x
#define NOTHING(x)
#define ZERO() 0
#define ADD(a, b) a + b
#define APPLY(m, args) m args
#define f(x) (x + 1)
#define LATER MAX

static int SQUARE_function(int x) { return x * x * x; }
static int (f)(int x) { return x + 100; }

int main(void) {
    printf("%d %d\n", MAX(3, 5), MAX(MAX(1, 9), MAX(4, 2)));
    printf("%d %d\n", SQUARE(1 + 2), TWICE(SQUARE, 3));
    printf("%d %d\n", ID(ID(ID(7))), NOTHING((junk, more)) ZERO());
    printf("%d %d\n", ADD(1, 2) * 3, ADD((1, 2), 3));
    printf("%d\n", APPLY(ADD, (4, 5)));
    printf("%d %d\n", f(1), (f)(1));
    printf("%d\n", LATER(6, 7));
    printf("%d\n", MAX(
        10,
        /* a comment */ 20
    ));
    int MAX = 3;
    printf("%d %d\n", MAX, SQUARE_function(MAX));
    printf("%s\n", ID("a, b") ID(")("));
    printf("%d\n", ID((1, 2)));
    int (*p)(int) = f;
    printf("%d\n", p(1));
    return 0;
}
