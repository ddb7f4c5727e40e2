/* abs, div, strtol, atoi. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    printf("%d %ld %lld\n", abs(-5), labs(-6000000000l), llabs(7));
    div_t d = div(-17, 5);
    ldiv_t l = ldiv(17, -5);
    printf("%d %d %ld %ld\n", d.quot, d.rem, l.quot, l.rem);
    printf("%d %d %ld\n", atoi("42"), atoi("  -17abc"), atol("99999999999"));
    char *end;
    printf("%ld ", strtol("123abc", &end, 10));
    printf("%s\n", end);
    printf("%ld %ld %ld\n", strtol("0x1f", 0, 16), strtol("0x1f", 0, 0), strtol("077", 0, 0));
    printf("%ld %ld\n", strtol("zz", 0, 36), strtol("-101", 0, 2));
    printf("%lu %lu\n", strtoul("4294967296", 0, 10), strtoul("-1", 0, 10));
    printf("%ld ", strtol("none", &end, 10));
    printf("%s\n", end);
    errno = 0;
    printf("%ld ", strtol("99999999999999999999", 0, 10));
    printf("%d\n", errno == ERANGE);
    errno = 0;
    printf("%ld ", strtol("-99999999999999999999", 0, 10));
    printf("%d\n", errno == ERANGE);
    printf("%llu\n", strtoull("ffffffffffffffff", 0, 16));
    return 0;
}
