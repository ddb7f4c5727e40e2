/* <math.h>: the functions whose results IEEE 754 fixes (C11 7.12), for `double` and `float`. Others
   are only declared, so that programs can include this, and refused where they are called. */
#pragma once

typedef float float_t;
typedef double double_t;

#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")

#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

#define isnan(x) __builtin_isnan(x)
#define isinf(x) __fp_isinf(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x) __fp_signbit(x)
#define isgreater(x, y) ((x) > (y))
#define isgreaterequal(x, y) ((x) >= (y))
#define isless(x, y) ((x) < (y))
#define islessequal(x, y) ((x) <= (y))

/* As glibc's: -1 for minus infinity. */
static inline int __fp_isinf(double x) {
    return (x == HUGE_VAL) - (x == -HUGE_VAL);
}

static inline int __fp_signbit(double x) {
    union {
        double number;
        unsigned long bits;
    } both = {x};
    return (int)(both.bits >> 63);
}

static inline double sqrt(double x) {
    return __builtin_sqrt(x);
}

static inline float sqrtf(float x) {
    return __builtin_sqrtf(x);
}

static inline double floor(double x) {
    return __builtin_floor(x);
}

static inline float floorf(float x) {
    return __builtin_floorf(x);
}

static inline double ceil(double x) {
    return __builtin_ceil(x);
}

static inline float ceilf(float x) {
    return __builtin_ceilf(x);
}

static inline double round(double x) {
    return __builtin_round(x);
}

static inline float roundf(float x) {
    return __builtin_roundf(x);
}

static inline double trunc(double x) {
    return __builtin_trunc(x);
}

static inline float truncf(float x) {
    return __builtin_truncf(x);
}

static inline double rint(double x) {
    return __builtin_rint(x);
}

static inline float rintf(float x) {
    return __builtin_rintf(x);
}

static inline double nearbyint(double x) {
    return __builtin_nearbyint(x);
}

static inline float nearbyintf(float x) {
    return __builtin_nearbyintf(x);
}

static inline double fabs(double x) {
    return __builtin_fabs(x);
}

static inline float fabsf(float x) {
    return __builtin_fabsf(x);
}

static inline long lround(double x) {
    return (long)__builtin_round(x);
}

static inline long lrint(double x) {
    return (long)__builtin_rint(x);
}

static inline double fmod(double x, double y) {
    return __builtin_fmod(x, y);
}

static inline float fmodf(float x, float y) {
    return __builtin_fmodf(x, y);
}

/* A NaN counts as missing. */
static inline double fmin(double x, double y) {
    return isnan(x) || y < x ? y : x;
}

static inline float fminf(float x, float y) {
    return isnan(x) || y < x ? y : x;
}

static inline double fmax(double x, double y) {
    return isnan(x) || y > x ? y : x;
}

static inline float fmaxf(float x, float y) {
    return isnan(x) || y > x ? y : x;
}

static inline double copysign(double x, double y) {
    return signbit(x) == signbit(y) ? x : -x;
}

double acos(double);
double asin(double);
double atan(double);
double atan2(double, double);
double cbrt(double);
double cos(double);
double cosh(double);
double exp(double);
double exp2(double);
double expm1(double);
double fdim(double, double);
double fma(double, double, double);
double frexp(double, int *);
double hypot(double, double);
double ldexp(double, int);
double log(double);
double log10(double);
double log1p(double);
double log2(double);
double modf(double, double *);
double pow(double, double);
double sin(double);
double sinh(double);
double tan(double);
double tanh(double);
float cosf(float);
float expf(float);
float logf(float);
float powf(float, float);
float sinf(float);
