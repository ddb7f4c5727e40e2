/* strtol: signs, blanks, bases, the end pointer, and values out of range. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static void show(const char *text, int base) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, base);
    printf("%ld %td %d\n", value, end - text, errno == ERANGE);
}

int main(void) {
    show("42", 10);
    show("  -17xyz", 10);
    show("+8", 10);
    show("0x1F", 16);
    show("0x1F", 0);
    show("0x", 16);
    show("0xg", 0);
    show("077", 0);
    show("089", 0);
    show("1010102", 2);
    show("zZ", 36);
    show("", 10);
    show("-", 10);
    show("abc", 10);
    show("9223372036854775807", 10);
    show("9223372036854775808", 10);
    show("-9223372036854775808", 10);
    show("-9223372036854775809", 10);
    show("123456789012345678901234567890", 10);
    return 0;
}
