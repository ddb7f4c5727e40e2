/* if and else: dangling else, conditions of every type. */
#include <stdio.h>

static const char *classify(int n) {
    if (n < 0) return "negative";
    else if (n == 0) return "zero";
    else if (n < 10) return "small";
    else return "large";
}

int main(void) {
    for (int i = -5; i < 20; i += 5) printf("%s ", classify(i));
    printf("\n");
    int a = 1, b = 0;
    if (a)
        if (b) printf("both\n");
        else printf("inner else\n");
    if (a) {
        if (b) printf("both\n");
    } else printf("outer else\n");
    char *p = 0;
    unsigned char c = 128;
    long l = 1L << 40;
    _Bool t = 1;
    if (p) printf("pointer\n"); else printf("null\n");
    if (c) printf("char\n");
    if (l) printf("long\n");
    if ((int)l) printf("truncated\n"); else printf("lost\n");
    if (t && !b) printf("bool\n");
    if (classify) printf("function\n");
    if ("") printf("string\n");
    if (a = 0) printf("assigned\n"); else printf("zero\n");
    if (a == 0 && (b = 3, b > 2)) printf("%d\n", b);
    if (1) ; else printf("empty\n");
    if (({ int x = 3; x > 2; })) printf("statement expression\n");
    return 0;
}
