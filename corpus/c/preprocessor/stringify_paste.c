/* # and ## with arguments of every kind. */
#include <stdio.h>

#define STR(x) #x
#define XSTR(x) STR(x)
#define CAT(a, b) a##b
#define XCAT(a, b) CAT(a, b)
#define NAME value
#define FIELD(type, name) type name##_field
#define GLUE3(a, b, c) a##b##c
#define SHOW(expr) printf("%s = %d\n", #expr, expr)
#define QUOTE(...) #__VA_ARGS__
#define DECLARE(n) int var##n = n
#define NUMBER(a, b) a##b
#define OP(a, o, b) (a o##= b)
#define EMPTYCAT(a, b) a##b 9

struct s { FIELD(int, first); FIELD(char, second); };

int main(void) {
    int value = 3, value2 = 4, NAME2 = 5;
    printf("%s %s\n", STR(NAME), XSTR(NAME));
    printf("%d %d\n", XCAT(NAME, 2), CAT(NAME, 2));
    printf("[%s] [%s]\n", STR(  a   +  b  ), STR());
    printf("%s\n", STR("quoted \"text\" \n" 'c' '\\'));
    printf("%s %s\n", STR(\n), STR(@#$));
    SHOW(value + value2);
    SHOW(1 << 4);
    printf("%s\n", QUOTE(a, b , c));
    DECLARE(7);
    DECLARE(8);
    printf("%d %d\n", var7, var8);
    struct s s = { .first_field = 1, .second_field = 2 };
    printf("%d %d\n", s.first_field, s.second_field);
    printf("%d %d %d\n", NUMBER(1, 2), NUMBER(0x, ff), NUMBER(, 3));
    printf("%d\n", GLUE3(va, lu, e));
    printf("%d\n", OP(value, +, 10));
    printf("%d %d\n", EMPTYCAT(,) + 0, EMPTYCAT(8 -, ));
    printf("%d\n", value CAT(-, -) - 1);
    printf("%s\n", XSTR(CAT(12, 34)));
    return 0;
}
