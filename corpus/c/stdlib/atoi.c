/* atoi and its relatives stop at the first character that is no digit. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    printf("%d %d %d %d\n", atoi("12"), atoi(" -7 8"), atoi("0x10"), atoi("none"));
    printf("%ld %lld\n", atol("123456789012"), atoll("-9"));
    return 0;
}
