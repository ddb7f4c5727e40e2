/* Sums, products and comparisons of float and double, and the conversions around them. */
#include <stdio.h>

static double mean(const double *all, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += all[i];
    return sum / count;
}

static float half(float x) { return x / 2; }

int main(void) {
    double all[4] = {1, 2.5, 3};
    printf("%f %f\n", mean(all, 4), half(3));
    printf("%.17g %.17g\n", 0.1 + 0.2, 1.0 / 3);
    printf("%.9g %.9g\n", 0.1f + 0.2f, 1.0f / 3);
    printf("%.17g %.9g\n", 1.1f * 1.1, 1.1f * 1.1f);
    float f = 16777216;
    f++;
    printf("%.1f\n", f);
    double d = 0.1;
    d--;
    ++d;
    printf("%.17g\n", d);
    d *= 3;
    d -= 0.5f;
    d /= -2;
    printf("%.17g %.17g\n", d, -d);
    int i = 7;
    i /= 2.0;
    i += 0.9;
    i *= 2.5f;
    printf("%d\n", i);
    unsigned char c = 250;
    c += 4.75;
    printf("%d\n", c);
    printf("%g %g %g\n", 1 / 0.0, -1 / 0.0, 1e308 * 10);
    double nan = 0.0 / 0.0, zero = 0;
    printf("%d%d%d%d%d%d\n", nan == nan, nan != nan, nan < 1, nan >= 1, !(nan > 1), nan != 0);
    printf("%d%d%d\n", zero == -zero, 1 / zero == 1 / -zero, zero > -1);
    printf("%d%d%d%d\n", !zero, !0.5, zero || -zero, nan && 0.5);
    if (0.25) printf("a quarter\n");
    if (-zero) printf("nothing\n");
    while (d > -10) d = d * 2 - 1;
    printf("%g %g\n", d, d > 0 ? d : 1);
    _Bool truth = 0.001, no = -zero;
    printf("%d%d%d\n", truth, no, (_Bool)nan);
    _Bool flag = 1;
    flag *= -zero;
    printf("%d", flag);
    flag -= 0.5;
    printf("%d\n", flag);
    printf("%zu %zu %zu\n", sizeof f, sizeof d, sizeof(1.0f + 1));
    return (int)3.99;
}
