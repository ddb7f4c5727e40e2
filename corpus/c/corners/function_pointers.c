/* Function pointers in structures, arrays, returns, conditionals and casts; vtables. */
#include <stdio.h>

struct shape;
struct ops { int (*area)(const struct shape *); const char *(*name)(void); };
struct shape { const struct ops *ops; int w, h; };

static int rect_area(const struct shape *s) { return s->w * s->h; }
static int tri_area(const struct shape *s) { return s->w * s->h / 2; }
static const char *rect_name(void) { return "rect"; }
static const char *tri_name(void) { return "tri"; }
static const struct ops rect = { rect_area, rect_name }, tri = { .name = tri_name, .area = tri_area };

static int add(int a, int b) { return a + b; }
static int mul(int a, int b) { return a * b; }
typedef int (*binop)(int, int);
static binop pick(int n) { return n % 2 ? add : mul; }
static int reduce(binop f, int n) { return n <= 1 ? 1 : f(n, reduce(f, n - 1)); }
static int compose(int (*f)(int (*)(int, int), int), binop g, int n) { return f(g, n); }

static int state;
static void *machine(void);
static void *second(void) { state = state * 10 + 2; return (void *)machine; }
static void *machine(void) { state = state * 10 + 1; return state > 1000 ? 0 : (void *)second; }

int main(void) {
    struct shape shapes[] = { { &rect, 3, 4 }, { &tri, 3, 4 } };
    for (int i = 0; i < 2; i++) printf("%s %d\n", shapes[i].ops->name(), shapes[i].ops->area(&shapes[i]));
    printf("%d %d\n", pick(1)(3, 4), pick(2)(3, 4));
    printf("%d %d\n", reduce(add, 5), reduce(mul, 5));
    printf("%d\n", compose(reduce, mul, 4));
    binop table[] = { add, mul, 0 };
    int v = 2;
    for (binop *f = table; *f; f++) v = (*f)(v, 3);
    printf("%d\n", v);
    for (void *(*next)(void) = machine; next; next = (void *(*)(void))next()) {}
    printf("%d\n", state);
    struct { binop f[2]; } s = { { mul, add } }, *p = &s;
    printf("%d %d\n", p->f[0](5, 6), (*p->f[1])(5, 6));
    printf("%d\n", (v > 3 ? add : mul)(10, 2));
    int (*const fixed)(int, int) = add;
    printf("%d %d\n", fixed == add, fixed == mul);
    return 0;
}
