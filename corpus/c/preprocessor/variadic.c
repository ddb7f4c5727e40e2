/* Variadic macros: __VA_ARGS__, GNU's named rest, the swallowed comma, __VA_OPT__, counting. */
#include <stdio.h>

#define LOG(format, ...) printf(format "\n", ##__VA_ARGS__)
#define SAY(...) printf(__VA_ARGS__)
#define GNU(first, rest...) printf(first, ## rest)
#define OPT(format, ...) printf(format __VA_OPT__(,) __VA_ARGS__)
#define COUNT(...) PICK(__VA_ARGS__, 5, 4, 3, 2, 1, 0)
#define PICK(a, b, c, d, e, n, ...) n
#define FIRST(a, ...) a
#define REST(a, ...) (__VA_ARGS__)
#define ARRAY(name, ...) int name[] = { __VA_ARGS__ }
#define CALL(f, ...) f(__VA_ARGS__)
#define TEXT(...) #__VA_ARGS__
#define SUM0() 0
#define OVERLOAD(...) CHOOSE(__VA_ARGS__, TWO, ONE)(__VA_ARGS__)
#define CHOOSE(a, b, name, ...) name
#define ONE(a) (a)
#define TWO(a, b) ((a) * 10 + (b))

static int three(int a, int b, int c) { return a * 100 + b * 10 + c; }

int main(void) {
    LOG("plain");
    LOG("%d %d", 1, 2);
    SAY("%s\n", "say");
    GNU("gnu\n");
    GNU("%d\n", 3);
    OPT("opt\n");
    OPT("%d\n", 4);
    printf("%d %d %d\n", COUNT(a), COUNT(a, b), COUNT(a, b, c, d));
    printf("%d %d\n", FIRST(7, 8, 9), FIRST(6));
    ARRAY(list, 1, 2, 3);
    printf("%zu\n", sizeof list / sizeof *list);
    printf("%d\n", CALL(three, 1, 2, 3));
    printf("%d\n", three REST(0, 4, 5, 6));
    printf("[%s] [%s]\n", TEXT(), TEXT(a, (b, c)));
    printf("%d %d\n", OVERLOAD(3), OVERLOAD(3, 4));
    return SUM0();
}
