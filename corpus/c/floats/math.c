/* <math.h> and <float.h>, as far as results are the same everywhere. */
#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void) {
    double all[] = {0, -0.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 2.4999, 1e300, 144, INFINITY};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        double x = all[i];
        printf("%g: %g %g %g %g %g %g\n", x, floor(x), ceil(x), round(x), trunc(x), rint(x),
               fabs(x));
        printf("  %.17g %d %d %d %d\n", x < 0 ? 0 : sqrt(x), isnan(x), isinf(x), isfinite(x),
               !!signbit(x));
    }
    printf("%d %d %d %d\n", !!isnan(NAN), !!isinf(NAN), !!isfinite(NAN), isinf(-INFINITY));
    printf("%g %g %g %g\n", fmin(1, NAN), fmin(NAN, 2), fmax(2, 3), fmax(-1, -2));
    printf("%g %g %g\n", fmod(7.5, 2), fmod(-7.5, 2), fmod(1e300, 3));
    printf("%g %g\n", copysign(3, -1), copysign(-3, 0.0));
    printf("%ld %ld %ld\n", lround(2.5), lround(-2.5), lrint(2.5));
    printf("%.9g %.9g %.9g %.9g\n", sqrtf(2), floorf(-1.5f), fabsf(-2.5f), fmaxf(1, 2));
    printf("%g %g %d\n", HUGE_VAL, -HUGE_VALF, INFINITY > DBL_MAX);
    printf("%.17g %.17g %.17g\n", DBL_MAX, DBL_MIN, DBL_EPSILON);
    printf("%.9g %.9g %.9g\n", FLT_MAX, FLT_MIN, FLT_EPSILON);
    printf("%d %d %d\n", DBL_DIG, FLT_MANT_DIG, FLT_RADIX);
    printf("%d\n", 1 + DBL_EPSILON > 1 && 1 + DBL_EPSILON / 2 == 1);
    printf("%.15f\n", M_PI);
    return 0;
}
