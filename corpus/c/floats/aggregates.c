/* Floating-point members, elements, parameters, results, unions and variable arguments. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct point { float x, y; };
struct sample { char tag; double value; struct point at[2]; };
union pun { double number; unsigned long bits; float halves[2]; };

static double table[] = {1.5, -2, 1 / 3.0, .5e1, 0x1.8p1, -0.0, 3 > 2.5, (float)0.1};
static float scale = 1.1f * 3, *where = &scale;
static const double pi = 3.14159;
static int whole = (int)3.99 + (2.5 > 2);
static struct sample first = {'f', 2.5, {{1, 2}, {.y = 4}}};

static struct point middle(struct point a, struct point b) {
    struct point m = {(a.x + b.x) / 2, (a.y + b.y) / 2};
    return m;
}

static double sum(int count, ...) {
    va_list list;
    va_start(list, count);
    double all = 0;
    while (count-- > 0) all += va_arg(list, double);
    va_end(list);
    return all;
}

static double apply(double (*f)(double, float), double x) { return f(x, 0.5f); }
static double times(double x, float y) { return x * y; }

int main(void) {
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++) printf("%.9g ", table[i]);
    printf("\n%.9g %.9g %g %d\n", scale, *where, pi, whole);
    struct sample copy = first;
    copy.at[0] = middle(copy.at[0], copy.at[1]);
    copy.value++;
    printf("%g %g %g %g %g\n", copy.value, copy.at[0].x, copy.at[0].y, copy.at[1].x, first.value);
    printf("%zu %zu\n", sizeof copy, _Alignof(struct sample));
    union pun pun = {.number = 1.0};
    printf("%lx %g %g\n", pun.bits, pun.halves[0], pun.halves[1]);
    pun.bits = 0x4009000000000000;
    printf("%g\n", pun.number);
    float f = -2.5f;
    unsigned bits;
    memcpy(&bits, &f, sizeof bits);
    printf("%x\n", bits);
    double matrix[2][2] = {{1, 2}, {3, 4}}, *row = matrix[1];
    *row += matrix[0][1];
    printf("%g %g\n", row[0], *(row - 1));
    printf("%g %g\n", sum(3, 1.5, 2.5f, -1.0), apply(times, 3));
    double one = 1, *alias = &one;
    *alias *= 8;
    printf("%g %g\n", one, (one, one + 1));
    return 0;
}
