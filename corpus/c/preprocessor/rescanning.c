/* The corners of rescanning: painted names, calls that start in one macro and end in another. */
#include <stdio.h>

#define STR(...) #__VA_ARGS__
#define XSTR(...) STR(__VA_ARGS__)
#define f(a) a*g
#define g(a) f(a)
#define call(m) m(
#define comma ,
#define pair 1 comma 2
#define first(a, ...) a
#define second(a, b, ...) b
#define unpack(m, x) m(x, 0, 0)
#define loop(x) x loop(x)
#define NIL(x) x
#define G_0(arg) NIL(G_1)(arg)
#define G_1(arg) NIL(arg)
#define obj obj.member
#define AA BB
#define BB AA BB

int main(void) {
    printf("%s\n", XSTR(f(2)(9)));
    printf("%s\n", XSTR(loop(1)));
    printf("%s\n", XSTR(G_0(42)));
    printf("%s\n", XSTR(obj));
    printf("%s\n", XSTR(AA));
    const char *called = call(STR) x);
    printf("%s\n", called);
    printf("%s %d\n", XSTR(first(pair, 0)), unpack(second, pair));
    printf("%s\n", XSTR(f));
    printf("%s\n", XSTR(f (1)));
    printf("%s\n", XSTR(g
        (3)));
    return 0;
}
