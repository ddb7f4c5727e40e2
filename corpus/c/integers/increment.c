/* ++ and -- before and behind, on every kind of lvalue. */
#include <stdio.h>

struct s {
    unsigned char c;
    short h[2];
    unsigned f : 3;
};

int main(void) {
    int i = 5;
    printf("%d ", i++);
    printf("%d ", i);
    printf("%d ", ++i);
    printf("%d ", i--);
    printf("%d\n", --i);
    struct s s = { 255, { 32767, -32768 }, 7 };
    printf("%d ", s.c++);
    printf("%d\n", s.c);
    printf("%d\n", ++s.c);
    printf("%d\n", s.f++);
    printf("%d\n", --s.f);
    s.h[0]--;
    ++s.h[1];
    printf("%d %d\n", s.h[0], s.h[1]);
    int array[3] = { 10, 20, 30 };
    int *p = array;
    printf("%d ", *p++);
    printf("%d ", (*p)++);
    printf("%d ", *++p);
    printf("%d %d\n", array[1], ++*p);
    long l = 0;
    l--;
    printf("%ld\n", l--);
    unsigned long u = 0;
    printf("%lu\n", --u);
    return 0;
}
