/* strtoul wraps negative numbers; strtoll and strtoull are the same in 64 bits. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *end;
    printf("%lu\n", strtoul("18446744073709551615", &end, 10));
    printf("%lu\n", strtoul("-1", &end, 10));
    errno = 0;
    printf("%lu ", strtoul("18446744073709551616", NULL, 10));
    printf("%d\n", errno == ERANGE);
    printf("%lld\n", strtoll("-123456789012", NULL, 10));
    printf("%llu\n", strtoull("0xffffffffff", NULL, 0));
    return 0;
}
