/* Precedence and grouping of every operator. */
#include <stdio.h>

int main(void) {
    int a = 2, b = 3, c = 4, d = 5;
    int array[3] = { 10, 20, 30 };
    int *p = array;
    struct { int v; int *q; } s = { 7, array + 1 }, *sp = &s;
    printf("%d %d %d\n", a + b * c, (a + b) * c, a * b + c * d);
    printf("%d %d %d\n", 20 / 2 / 5, 20 - 5 - 3, 2 - 3 + 4);
    printf("%d %d\n", 1 << 2 + 1, (1 << 2) + 1);
    printf("%d %d\n", 5 & 6 == 6, (5 & 6) == 6);
    printf("%d %d\n", 1 | 2 ^ 3 & 4, 1 || 0 && 0);
    printf("%d %d\n", -a * -b, - -a);
    printf("%d %d\n", !a == 0, !(a == 0));
    printf("%d %d\n", ~a & 0xff, -~a);
    printf("%d %d\n", *p + 1, *(p + 1));
    printf("%d %d %d\n", *sp->q, *s.q, (*sp).v);
    printf("%d\n", *p++ + 1);
    printf("%d %d\n", a < b == c < d, a < b < c);
    printf("%d\n", a > 1 ? b > 5 ? 1 : 2 : 3);
    printf("%d\n", a ? b : c ? d : 0);
    printf("%d\n", (a, b));
    int r;
    r = a == 2 ? b : c;
    printf("%d\n", r);
    r = a, b;
    printf("%d\n", r);
    printf("%d\n", a - -1);
    printf("%d\n", a+++b);
    printf("%d %d\n", a, (int)sizeof a + 1);
    printf("%d\n", (int)-1u / 2 < 0);
    printf("%d\n", &array[2] - &array[0] == 2);
    return 0;
}
