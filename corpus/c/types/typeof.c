/* typeof and __auto_type. */
#include <stdio.h>

#define max(a, b) ({ typeof(a) left = (a); typeof(b) right = (b); left > right ? left : right; })
#define swap(a, b) do { __auto_type held = (a); (a) = (b); (b) = held; } while (0)

struct s { unsigned short member; int array[3]; };

static int calls;
static long count(void) { calls++; return 40; }

int main(void) {
    int x = 3, y = 7;
    printf("%d %ld\n", max(x, y), max(x, 9l));
    swap(x, y);
    printf("%d %d\n", x, y);
    typeof(x) a = 1;
    typeof(int *) p = &a;
    typeof(*p) b = 2;
    __typeof__(p) *pp = &p;
    printf("%d %d %d\n", a, b, **pp);
    struct s s = { 65535, { 1, 2, 3 } };
    typeof(s.member) m = 65536;
    typeof(s.array) copy = { 4, 5 };
    printf("%d %d %zu\n", m, copy[1], sizeof copy);
    typeof(count()) unused = 1;
    printf("%ld %d\n", unused, calls);
    __auto_type r = count() + 2u;
    printf("%ld %zu %d\n", r, sizeof r, calls);
    __auto_type str = "auto";
    printf("%s\n", str);
    const int fixed = 5;
    typeof(fixed) other = 6;
    printf("%d\n", other);
    __auto_type f = max(1u, 2l);
    printf("%zu\n", sizeof f);
    typeof(int (*)(int)) fp = 0;
    printf("%d\n", fp == 0);
    return 0;
}
