/* _Generic chooses by type: qualifiers drop, arrays and functions decay, default applies. */
#include <stdio.h>

#define NAME(x) _Generic((x), \
    _Bool: "bool", char: "char", signed char: "signed char", unsigned char: "unsigned char", \
    short: "short", unsigned short: "unsigned short", int: "int", unsigned: "unsigned", \
    long: "long", unsigned long: "unsigned long", long long: "long long", \
    unsigned long long: "unsigned long long", char *: "char *", const char *: "const char *", \
    int *: "int *", const int *: "const int *", void *: "void *", int (*)(void): "function", \
    struct point: "point", default: "other")

struct point { int x, y; };

static int zero(void) { return 0; }

static int absolute_int(int x) { return x < 0 ? -x : x; }
static long absolute_long(long x) { return x < 0 ? -x : x; }
#define absolute(x) _Generic((x), long: absolute_long, default: absolute_int)(x)

int main(void) {
    _Bool b = 1;
    char c = 0;
    const short s = 0;
    volatile unsigned u = 0;
    int array[3];
    const int *ci = array;
    struct point p = { 0 };
    unsigned char uc = 0;
    printf("%s %s %s %s\n", NAME(b), NAME(c), NAME(s), NAME(u));
    printf("%s %s %s %s\n", NAME(array), NAME(ci), NAME(zero), NAME(p));
    printf("%s %s %s %s\n", NAME(+c), NAME(uc), NAME(uc + uc), NAME(~b));
    printf("%s %s %s %s\n", NAME("text"), NAME((void *)0), NAME(&c), NAME((const char *)&c));
    printf("%s %s %s %s\n", NAME(1 << 1l), NAME(1l << 1), NAME(sizeof 1), NAME('a'));
    printf("%s %s %s\n", NAME(1 ? 1 : 1u), NAME(1 ? c : s), NAME(&p));
    printf("%s %s\n", NAME(c = 1), NAME((c, 1l)));
    printf("%s %s\n", NAME(array == 0), NAME(&array[1] - &array[0]));
    printf("%d %ld\n", absolute(-5), absolute(-5000000000));
    int n = 1;
    printf("%d %d\n", _Generic(n++, int: 10, default: 20), n);
    printf("%d\n", _Generic((int)0, int: ({ int t = 4; t * t; }), long: 0));
    return 0;
}
