/* _Bool holds 0 or 1, whatever is stored into it. */
#include <stdbool.h>
#include <stdio.h>

struct flags {
    _Bool a, b;
    _Bool c : 1;
};

int main(void) {
    _Bool x = 5;
    bool y = 256;
    bool z = (unsigned char)256;
    int object;
    bool p = &object;
    bool q = (void *)0;
    printf("%d %d %d %d %d\n", x, y, z, p, q);
    x += 10;
    printf("%d\n", x);
    x--;
    printf("%d\n", x);
    x = -3;
    printf("%d %d %d\n", x, !x, ~x);
    x ^= true;
    printf("%d\n", x);
    struct flags f = { 2, 0, 4 };
    f.b |= 8;
    printf("%d %d %d\n", f.a, f.b, f.c);
    printf("%zu %zu\n", sizeof(bool), sizeof(x + y));
    bool array[3] = { 1, 0, 7 };
    printf("%d\n", array[0] + array[1] + array[2]);
    unsigned char raw = *(unsigned char *)&y;
    printf("%d\n", raw);
    printf("%d %d\n", true && 2, false || 0x100);
    return true;
}
