/* Integer promotions: narrow types compute as int. */
#include <stdio.h>

int main(void) {
    unsigned char a = 200, b = 100;
    signed char c = -1;
    unsigned short s = 65535;
    _Bool t = 1;
    printf("%d %d %d\n", a + b, a * b, b - a);
    printf("%d %d\n", (unsigned char)(a + b), (signed char)(a + b));
    printf("%d %d %d\n", ~a, -a, +c);
    printf("%d %d\n", s + 1, ~s);
    printf("%d %d\n", a << 4, s >> 4);
    printf("%d %d\n", t + t, -t);
    printf("%zu %zu %zu\n", sizeof(a + b), sizeof(+a), sizeof(t + t));
    printf("%zu %zu %zu\n", sizeof(a), sizeof(a++), sizeof(!a));
    printf("%d\n", c < a);
    printf("%d\n", (unsigned char)c == 255);
    a += 100;
    printf("%d\n", a);
    b -= 150;
    printf("%d\n", b);
    c *= 5;
    printf("%d\n", c);
    a = 255;
    a++;
    printf("%d\n", a);
    c = 127;
    c++;
    printf("%d\n", c);
    return 0;
}
