/* %f, %e and %g with flags, widths and precisions. */
#include <stdio.h>

int main(void) {
    double all[] = {0, 1, -1, 0.5, 1.5, 2.5, 0.125, 1e-5, 123456789, 1e15, 1e16, 9.9999995,
                    3.14159265358979, 1e-310, 1.7976931348623157e308, -0.0, 1 / 0.0, -1 / 0.0};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        double x = all[i];
        printf("%f|%e|%g|%.0f|%.0e|%.0g|%.2f|%.3e|%.3g|%.17g\n", x, x, x, x, x, x, x, x, x, x);
        printf("%12.3f|%-12.3f|%012.3f|%+f|% f|%#.0f|%#g|%+.2E|%G\n", x, x, x, x, x, x, x, x, x);
    }
    printf("%.20f %.30g %.40e\n", 0.1, 0.1, 0.1);
    printf("%*.*f|%-*.*e|\n", 10, 3, 2.0 / 3, 14, 2, 2.0 / 3);
    printf("%F %f %lf %.1f\n", 1 / 0.0, 1.5f, 2.5, 0.25f);
    char text[16];
    int length = snprintf(text, sizeof text, "%.3f and %d", 2.0 / 3, 7);
    printf("%s %d\n", text, length);
    return 0;
}
