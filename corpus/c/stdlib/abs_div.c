/* abs and div in three widths. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    printf("%d %d %ld %lld\n", abs(-3), abs(3), labs(-40000000000), llabs(-5LL));
    div_t a = div(-7, 2);
    ldiv_t b = ldiv(7, -2);
    lldiv_t c = lldiv(-7, -2);
    printf("%d %d %ld %ld %lld %lld\n", a.quot, a.rem, b.quot, b.rem, c.quot, c.rem);
    imaxdiv_t d = imaxdiv(17, 5);
    printf("%" PRIdMAX " %" PRIdMAX " %" PRIdMAX "\n", d.quot, d.rem, imaxabs(-9));
    return 0;
}
