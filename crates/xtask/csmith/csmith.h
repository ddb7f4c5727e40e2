/* csmith.h: what programs made by csmith expect around them, written for Fencepost. It is not
   csmith's own runtime: the checksum differs from csmith's, and is the same under every compiler
   that gives C the same meaning. Operations that would be undefined give their left operand. */

#ifndef FENCEPOST_CSMITH_H
#define FENCEPOST_CSMITH_H

#include <stdint.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static uint32_t crc32_context = 0xFFFFFFFFu;

static void crc32_gentab(void) {}

/* Mixes the eight bytes of a value into the checksum. */
static void transparent_crc(uint64_t value, const char *name, int show) {
    for (int i = 0; i < 8; i++) {
        crc32_context = (crc32_context ^ (uint32_t)(value & 0xff)) * 16777619u;
        value >>= 8;
    }
    if (show) printf("...checksum after hashing %s : %X\n", name, crc32_context);
}

static void transparent_crc_bytes(char *bytes, int count, const char *name, int show) {
    for (int i = 0; i < count; i++)
        crc32_context = (crc32_context ^ (uint32_t)(unsigned char)bytes[i]) * 16777619u;
    if (show) printf("...checksum after hashing %s : %X\n", name, crc32_context);
}

static void platform_main_begin(void) {}

static void platform_main_end(uint32_t checksum, int show) {
    (void)show;
    printf("checksum = %X\n", checksum);
}

#define SAFE_SIGNED(T, MIN, MAX)                                                              \
    static T safe_unary_minus_func_##T##_s(T a) { return a == MIN ? a : (T)-a; }              \
    static T safe_add_func_##T##_s_s(T a, T b) {                                              \
        return (a > 0 && b > 0 && a > MAX - b) || (a < 0 && b < 0 && a < MIN - b)             \
                   ? a                                                                        \
                   : (T)(a + b);                                                              \
    }                                                                                         \
    static T safe_sub_func_##T##_s_s(T a, T b) {                                              \
        return (b < 0 && a > MAX + b) || (b > 0 && a < MIN + b) ? a : (T)(a - b);             \
    }                                                                                         \
    static T safe_mul_func_##T##_s_s(T a, T b) {                                              \
        return (a > 0 && b > 0 && a > MAX / b) || (a > 0 && b <= 0 && b < MIN / a) ||         \
                       (a <= 0 && b > 0 && a < MIN / b) ||                                    \
                       (a <= 0 && b <= 0 && a != 0 && b < MAX / a)                            \
                   ? a                                                                        \
                   : (T)(a * b);                                                              \
    }                                                                                         \
    static T safe_div_func_##T##_s_s(T a, T b) {                                              \
        return b == 0 || (a == MIN && b == -1) ? a : (T)(a / b);                              \
    }                                                                                         \
    static T safe_mod_func_##T##_s_s(T a, T b) {                                              \
        return b == 0 || (a == MIN && b == -1) ? a : (T)(a % b);                              \
    }                                                                                         \
    static T safe_lshift_func_##T##_s_s(T a, int b) {                                         \
        return a < 0 || b < 0 || b >= (int)(sizeof(T) * 8) || a > (MAX >> b) ? a : (T)(a << b); \
    }                                                                                         \
    static T safe_lshift_func_##T##_s_u(T a, unsigned int b) {                                \
        return a < 0 || b >= sizeof(T) * 8 || a > (MAX >> b) ? a : (T)(a << b);               \
    }                                                                                         \
    static T safe_rshift_func_##T##_s_s(T a, int b) {                                         \
        return a < 0 || b < 0 || b >= (int)(sizeof(T) * 8) ? a : (T)(a >> b);                 \
    }                                                                                         \
    static T safe_rshift_func_##T##_s_u(T a, unsigned int b) {                                \
        return a < 0 || b >= sizeof(T) * 8 ? a : (T)(a >> b);                                 \
    }

#define SAFE_UNSIGNED(T, MAX)                                                                 \
    static T safe_unary_minus_func_##T##_u(T a) { return (T)-a; }                             \
    static T safe_add_func_##T##_u_u(T a, T b) { return (T)(a + b); }                         \
    static T safe_sub_func_##T##_u_u(T a, T b) { return (T)(a - b); }                         \
    static T safe_mul_func_##T##_u_u(T a, T b) { return (T)((uint64_t)a * b); }               \
    static T safe_div_func_##T##_u_u(T a, T b) { return b == 0 ? a : (T)(a / b); }            \
    static T safe_mod_func_##T##_u_u(T a, T b) { return b == 0 ? a : (T)(a % b); }            \
    static T safe_lshift_func_##T##_u_s(T a, int b) {                                         \
        return b < 0 || b >= (int)(sizeof(T) * 8) || a > (MAX >> b) ? a : (T)(a << b);        \
    }                                                                                         \
    static T safe_lshift_func_##T##_u_u(T a, unsigned int b) {                                \
        return b >= sizeof(T) * 8 || a > (MAX >> b) ? a : (T)(a << b);                        \
    }                                                                                         \
    static T safe_rshift_func_##T##_u_s(T a, int b) {                                         \
        return b < 0 || b >= (int)(sizeof(T) * 8) ? a : (T)(a >> b);                          \
    }                                                                                         \
    static T safe_rshift_func_##T##_u_u(T a, unsigned int b) {                                \
        return b >= sizeof(T) * 8 ? a : (T)(a >> b);                                          \
    }

SAFE_SIGNED(int8_t, INT8_MIN, INT8_MAX)
SAFE_SIGNED(int16_t, INT16_MIN, INT16_MAX)
SAFE_SIGNED(int32_t, INT32_MIN, INT32_MAX)
SAFE_SIGNED(int64_t, INT64_MIN, INT64_MAX)
SAFE_UNSIGNED(uint8_t, UINT8_MAX)
SAFE_UNSIGNED(uint16_t, UINT16_MAX)
SAFE_UNSIGNED(uint32_t, UINT32_MAX)
SAFE_UNSIGNED(uint64_t, UINT64_MAX)

#endif
