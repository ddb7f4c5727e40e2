/* memcpy, memmove, memset, memcmp, memchr at every alignment. */
#include <stdio.h>
#include <string.h>

static void show(const char *b, int n) {
    for (int i = 0; i < n; i++) putchar(b[i] ? b[i] : '.');
    putchar('\n');
}

int main(void) {
    char a[32], b[32];
    for (int i = 0; i < 32; i++) a[i] = (char)('a' + i % 26);
    for (int off = 0; off < 4; off++) {
        memset(b, 0, sizeof b);
        memcpy(b + off, a + 3 - off, 17);
        show(b, 24);
    }
    memcpy(b, a, 32);
    memmove(b + 3, b, 20);
    show(b, 32);
    memcpy(b, a, 32);
    memmove(b, b + 5, 20);
    show(b, 32);
    memset(b + 1, 'z', 9);
    show(b, 12);
    printf("%d %d %d\n", memcmp("abc", "abc", 3), memcmp("abc", "abd", 3) < 0, memcmp("b", "a", 1) > 0);
    printf("%d\n", memcmp("\xff", "\x01", 1) > 0);
    printf("%td\n", (char *)memchr(a, 'd', 32) - a);
    printf("%d\n", memchr(a, '!', 32) == 0);
    long values[3] = { -1, 2, -3 }, copy[3];
    memcpy(copy, values, sizeof values);
    printf("%ld %ld\n", copy[0], copy[2]);
    int ints[4];
    memset(ints, 0xff, sizeof ints);
    printf("%d\n", ints[3]);
    struct { int *p; char c; } s = { ints, 'c' }, t;
    memcpy(&t, &s, sizeof s);
    printf("%d %c\n", *t.p, t.c);
    printf("%d\n", memcpy(b, a, 0) == (void *)b);
    return 0;
}
