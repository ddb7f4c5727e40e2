/* <stdlib.h>: C11 7.22 as far as integers go. Allocation fails past 1 GiB only; blocks are aligned to 16
   bytes, hold undefined bytes at first, and keep track of where they were allocated and freed. */
#pragma once

#include <fencepost/copy.h>
#include <fencepost/errno.h>
#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647

/* The values of ENOMEM, EINVAL and ERANGE: <errno.h> is not included for the user. */
enum { __fp_out_of_memory = 12, __fp_invalid = 22, __fp_out_of_range = 34 };

static inline void *malloc(size_t size) {
    return __fp_alloc(size, 16, 0);
}

static inline void *calloc(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        __fp_errno = __fp_out_of_memory;
        return NULL;
    }
    return __fp_alloc(bytes, 16, 1);
}

static inline void free(void *block) {
    __fp_free(block);
}

/* Always moves the block, so that a pointer kept to the old one is found out. */
static inline void *realloc(void *block, size_t size) {
    void *moved = __fp_alloc(size, 16, 0);
    if (!moved) {
        __fp_errno = __fp_out_of_memory;
        return NULL;
    }
    if (block) {
        size_t old = __fp_block_size(block);
        __fp_copy(moved, block, old < size ? old : size);
        __fp_free(block);
    }
    return moved;
}

/* The same for an array of numbers of one width. */
static inline void *__fp_realloc_by(void *block, size_t size, int width) {
    void *moved = __fp_alloc(size, 16, 0);
    if (!moved) {
        __fp_errno = __fp_out_of_memory;
        return NULL;
    }
    if (block) {
        size_t old = __fp_block_size(block);
        size_t kept = old < size ? old : size;
        if (width == 1) __fp_memcpy_by_1(moved, block, kept);
        if (width == 2) __fp_memcpy_by_2(moved, block, kept);
        if (width == 4) __fp_memcpy_by_4(moved, block, kept);
        if (width == 8) __fp_memcpy_by_8(moved, block, kept);
        __fp_free(block);
    }
    return moved;
}

static inline void *reallocarray(void *block, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        __fp_errno = __fp_out_of_memory;
        return NULL;
    }
    return realloc(block, bytes);
}

static inline void *aligned_alloc(size_t alignment, size_t size) {
    return __fp_alloc(size, alignment, 0);
}

static inline int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return __fp_invalid;
    *result = __fp_alloc(size, alignment, 0);
    return 0;
}

static inline void *memalign(size_t alignment, size_t size) {
    return __fp_alloc(size, alignment, 0);
}

static inline void *valloc(size_t size) {
    return __fp_alloc(size, 4096, 0);
}

static inline _Noreturn void exit(int status) {
    __fp_exit(status);
}

static inline _Noreturn void _Exit(int status) {
    __fp_quick_exit(status);
}

static void (*__fp_at_exit[32])(void);
static int __fp_at_exit_count;

static inline __attribute__((__fp_role("registers-at-exit"))) int atexit(void (*function)(void)) {
    int result = -1;
    __fp_atomic {
        if (__fp_at_exit_count < 32) {
            __fp_at_exit[__fp_at_exit_count++] = function;
            result = 0;
        }
    }
    return result;
}

/* Called where the program ends, if atexit is used. */
static inline __attribute__((__fp_role("runs-at-exit"))) void __fp_run_at_exit(void) {
    while (__fp_at_exit_count > 0) __fp_at_exit[--__fp_at_exit_count]();
}

static void (*__fp_at_quick_exit[32])(void);
static int __fp_at_quick_exit_count;

static inline int at_quick_exit(void (*function)(void)) {
    int result = -1;
    __fp_atomic {
        if (__fp_at_quick_exit_count < 32) {
            __fp_at_quick_exit[__fp_at_quick_exit_count++] = function;
            result = 0;
        }
    }
    return result;
}

static inline _Noreturn void quick_exit(int status) {
    while (__fp_at_quick_exit_count > 0) __fp_at_quick_exit[--__fp_at_quick_exit_count]();
    __fp_quick_exit(status);
}

static inline _Noreturn void abort(void) {
    __fp_trap("abort() was called");
}

static inline int abs(int value) { return value < 0 ? -value : value; }
static inline long labs(long value) { return value < 0 ? -value : value; }
static inline long long llabs(long long value) { return value < 0 ? -value : value; }

typedef struct {
    int quot;
    int rem;
} div_t;

typedef struct {
    long quot;
    long rem;
} ldiv_t;

typedef struct {
    long long quot;
    long long rem;
} lldiv_t;

static inline div_t div(int numerator, int denominator) {
    div_t result = { numerator / denominator, numerator % denominator };
    return result;
}

static inline ldiv_t ldiv(long numerator, long denominator) {
    ldiv_t result = { numerator / denominator, numerator % denominator };
    return result;
}

static inline lldiv_t lldiv(long long numerator, long long denominator) {
    lldiv_t result = { numerator / denominator, numerator % denominator };
    return result;
}

static inline int __fp_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
    return 36;
}

/* The digits of a number whose magnitude may be as large as `most`; a larger one is cut to
   `most` and sets errno. Base 0 reads the base off the prefix. */
static inline unsigned long __fp_magnitude(const char *digits, char **end, int base,
                                           unsigned long most) {
    const char *at = digits;
    unsigned long value = 0;
    _Bool too_large = 0;
    _Bool hexadecimal = at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && __fp_digit(at[2]) < 16;
    if ((base == 0 || base == 16) && hexadecimal) {
        base = 16;
        at += 2;
        digits = at;
    }
    if (base == 0) base = *at == '0' ? 8 : 10;
    for (int digit; (digit = __fp_digit(*at)) < base; at++) {
        if (value > (most - (unsigned long)digit) / (unsigned long)base) too_large = 1;
        value = value * (unsigned long)base + (unsigned long)digit;
    }
    if (at != digits) *end = (char *)at;
    if (!too_large) return value;
    __fp_errno = __fp_out_of_range;
    return most;
}

static inline const char *__fp_skip_sign(const char *text, _Bool *negative) {
    while (*text == ' ' || (*text >= '\t' && *text <= '\r')) text++;
    *negative = *text == '-';
    return *text == '-' || *text == '+' ? text + 1 : text;
}

static inline long strtol(const char *restrict text, char **restrict end, int base) {
    _Bool negative;
    char *stop = (char *)text;
    const char *digits = __fp_skip_sign(text, &negative);
    unsigned long most = negative ? 1UL << 63 : (1UL << 63) - 1;
    unsigned long value = __fp_magnitude(digits, &stop, base, most);
    if (end) *end = stop;
    return (long)(negative ? -value : value);
}

static inline unsigned long strtoul(const char *restrict text, char **restrict end, int base) {
    _Bool negative;
    char *stop = (char *)text;
    const char *digits = __fp_skip_sign(text, &negative);
    unsigned long value = __fp_magnitude(digits, &stop, base, -1UL);
    if (end) *end = stop;
    return negative && value != -1UL ? -value : value;
}

static inline long long strtoll(const char *restrict text, char **restrict end, int base) {
    return strtol(text, end, base);
}

static inline unsigned long long strtoull(const char *restrict text, char **restrict end,
                                          int base) {
    return strtoul(text, end, base);
}

static inline int atoi(const char *text) { return (int)strtol(text, NULL, 10); }
static inline long atol(const char *text) { return strtol(text, NULL, 10); }
static inline long long atoll(const char *text) { return strtol(text, NULL, 10); }

/* A decimal number, where one multiplication or division of exact numbers gives it. */
static inline double strtod(const char *restrict text, char **restrict end) {
    _Bool negative, any = 0;
    const char *at = __fp_skip_sign(text, &negative);
    unsigned long digits = 0;
    int scale = 0;
    _Bool hexadecimal = *at == '0' && (at[1] | 32) == 'x';
    _Bool infinite = (at[0] | 32) == 'i' && (at[1] | 32) == 'n' && (at[2] | 32) == 'f';
    _Bool none = (at[0] | 32) == 'n' && (at[1] | 32) == 'a' && (at[2] | 32) == 'n';
    __fp_supported(!hexadecimal && !infinite && !none,
                "strtod of a number that is not decimal");
    for (_Bool point = 0; (*at >= '0' && *at <= '9') || (*at == '.' && !point); at++) {
        if (*at == '.') {
            point = 1;
            continue;
        }
        __fp_supported(digits < 1UL << 53, "strtod of more than 15 digits");
        digits = digits * 10 + (unsigned long)(*at - '0');
        scale -= point;
        any = 1;
    }
    if (any && (*at | 32) == 'e') {
        _Bool down = at[1] == '-';
        const char *exponent = at + (at[1] == '-' || at[1] == '+' ? 2 : 1);
        int power = 0;
        if (*exponent >= '0' && *exponent <= '9') {
            for (at = exponent; *at >= '0' && *at <= '9'; at++)
                if (power < 1000) power = power * 10 + (*at - '0');
            scale += down ? -power : power;
        }
    }
    if (end) *end = (char *)(any ? at : text);
    double value = (double)digits, power = 1.0;
    if (digits != 0) {
        __fp_supported(digits < 1UL << 53, "strtod of more than 15 digits");
        __fp_supported(scale >= -22 && scale <= 22, "strtod of such large or small numbers");
        for (int i = scale < 0 ? -scale : scale; i > 0; i--) power *= 10.0;
        value = scale < 0 ? value / power : value * power;
    }
    return negative ? -value : value;
}

static inline double atof(const char *text) { return strtod(text, NULL); }

/* Any number from 0 to RAND_MAX: what holds of a program then holds for every generator and seed.
   It is a choice of the program like any other, so `fencepost run` draws it by its own seed. */
static inline int rand(void) {
    return (int)(__fp_any_u32() >> 1);
}

static inline void srand(unsigned int seed) {
    (void)seed;
}

static inline int rand_r(unsigned int *seed) {
    *seed = __fp_any_u32();
    return (int)(__fp_any_u32() >> 1);
}

static inline long random(void) {
    return (long)(__fp_any_u32() >> 1);
}

static inline void srandom(unsigned int seed) {
    (void)seed;
}

static inline long lrand48(void) {
    return (long)(__fp_any_u32() >> 1);
}

static inline long mrand48(void) {
    return (int)__fp_any_u32();
}

static inline void srand48(long seed) {
    (void)seed;
}

/* Insertion: stable, in place but for one element, and quick enough for small arrays. */
static inline void qsort(void *base, size_t count, size_t size,
                         int (*compare)(const void *, const void *)) {
    char *first = base;
    if (count < 2) return;
    char *held = __fp_alloc(size, 16, 0);
    for (size_t i = 1; i < count; i++) {
        size_t hole = i;
        while (hole > 0 && compare(first + (hole - 1) * size, first + i * size) > 0) hole--;
        if (hole == i) continue;
        __fp_copy(held, first + i * size, size);
        __fp_move(first + (hole + 1) * size, first + hole * size, (i - hole) * size);
        __fp_copy(first + hole * size, held, size);
    }
    __fp_free(held);
}

static inline void *bsearch(const void *key, const void *base, size_t count, size_t size,
                            int (*compare)(const void *, const void *)) {
    const char *low = base;
    while (count > 0) {
        const char *middle = low + count / 2 * size;
        int order = compare(key, middle);
        if (order == 0) return (void *)middle;
        if (order > 0) {
            low = middle + size;
            count -= count / 2 + 1;
        } else {
            count /= 2;
        }
    }
    return NULL;
}

static inline char *getenv(const char *name) {
    (void)name;
    return NULL;
}

/* Soundness S-031 (run, check, verify; all; misses): `malloc` and its relatives fail only past 1
   GiB of heap (in `check` and `verify`: for more than 1 GiB at once), and `realloc` always
   moves, so failure paths are not explored. Test:
   crates/fencepost/tests/verdicts.rs::an_allocation_of_more_than_there_is_gives_null. */

/* Soundness S-032 (run, check, verify; all; cries wolf): `rand` and its relatives return any
   number from 0 to `RAND_MAX` each time, whatever the seed. Test:
   corpus/verify/styles/rand_any.c. */

/* Soundness S-033 (run, check, verify; all; misses): `qsort` is a stable insertion sort; a
   library whose sort is not stable may order equal elements otherwise. Test:
   corpus/c/stdlib/qsort.c. */

/* Soundness S-034 (run, check, verify; all; misses): In a program that names `reach_error`,
   `__VERIFIER_error` or `assume_abort_if_not`, `abort()` is a failed assumption: what follows it
   is not checked. Test:
   crates/fencepost/tests/headers.rs::to_call_reach_error_is_the_error_whatever_it_does_and_abort_is_none,
   corpus/verify/styles/sv_assume_in_section.c. */
