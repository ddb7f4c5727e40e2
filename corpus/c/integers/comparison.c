/* Comparisons give int 0 or 1, and chain to the left. */
#include <stdio.h>

int main(void) {
    int a = 3, b = 5, c = 3;
    printf("%d %d %d %d %d %d\n", a < b, a > b, a <= c, a >= c, a == c, a != c);
    printf("%d %d\n", 5 > 3 > 1, 1 < 3 < 2);
    printf("%d %d\n", -1 < 1, -1 < 1u);
    printf("%d\n", (char)-1 < (unsigned char)1);
    printf("%d\n", -1L < 1u);
    printf("%d\n", (short)-1 == (unsigned short)-1);
    printf("%zu\n", sizeof(a < b));
    printf("%d %d\n", (a == c) + (b != c), !(a < b));
    printf("%d\n", a == b == 0);
    unsigned char x = 0x80;
    signed char y = (signed char)0x80;
    printf("%d %d\n", x == y, x == (unsigned char)y);
    int array[4];
    int *p = array, *q = array + 2;
    printf("%d %d %d %d\n", p < q, p == q, p != q, q >= p);
    return 0;
}
