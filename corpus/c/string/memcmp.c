/* memcmp compares bytes as unsigned numbers; memchr finds the first. */
#include <stdio.h>
#include <string.h>

static int sign(int value) {
    return (value > 0) - (value < 0);
}

int main(void) {
    const char a[] = "abc\xff", b[] = "abc\x01";
    printf("%d %d %d\n", sign(memcmp(a, b, 4)), sign(memcmp(b, a, 4)), memcmp(a, b, 3));
    printf("%d\n", memcmp(a, b, 0));
    const char text[] = "one\0two";
    printf("%td\n", (char *)memchr(text, 't', sizeof text) - text);
    printf("%td\n", (char *)memchr(text, 0, sizeof text) - text);
    printf("%d\n", memchr(text, 't', 3) == NULL);
    printf("%td\n", (char *)memchr(a, 0xff, 4) - a);
    return 0;
}
