/* <stdbit.h>: C23 7.18, the type-generic macros for unsigned integers of up to 64 bits. */
#pragma once

#define __STDC_VERSION_STDBIT_H__ 202311L
#define __STDC_ENDIAN_LITTLE__ 1234
#define __STDC_ENDIAN_BIG__ 4321
#define __STDC_ENDIAN_NATIVE__ __STDC_ENDIAN_LITTLE__

static inline unsigned __fp_stdc_leading_zeros(unsigned long value, unsigned width) {
    return value ? (unsigned)__builtin_clzl(value) - (64 - width) : width;
}

static inline unsigned __fp_stdc_trailing_zeros(unsigned long value, unsigned width) {
    return value ? (unsigned)__builtin_ctzl(value) : width;
}

static inline unsigned __fp_stdc_count_ones(unsigned long value) {
    return (unsigned)__builtin_popcountl(value);
}

static inline unsigned __fp_stdc_bit_width(unsigned long value) {
    return value ? 64 - (unsigned)__builtin_clzl(value) : 0;
}

static inline unsigned long __fp_stdc_bit_floor(unsigned long value) {
    return value ? 1ul << (63 - __builtin_clzl(value)) : 0;
}

/* Others have no meaning here. */
#define __fp_stdc_width(value)                                                                     \
    _Generic((value), unsigned char: 8u, unsigned short: 16u, unsigned int: 32u,                   \
        unsigned long: 64u, unsigned long long: 64u)
#define __fp_stdc_bits(value) ((void)__fp_stdc_width(value), (value))
#define stdc_leading_zeros(value) __fp_stdc_leading_zeros((value), __fp_stdc_width(value))
#define stdc_trailing_zeros(value) __fp_stdc_trailing_zeros((value), __fp_stdc_width(value))
#define stdc_count_ones(value) __fp_stdc_count_ones(__fp_stdc_bits(value))
#define stdc_count_zeros(value) (__fp_stdc_width(value) - __fp_stdc_count_ones(value))
#define stdc_has_single_bit(value) ((_Bool)(__fp_stdc_count_ones(__fp_stdc_bits(value)) == 1))
#define stdc_bit_width(value) __fp_stdc_bit_width(__fp_stdc_bits(value))
#define stdc_bit_floor(value) ((__typeof__(value))__fp_stdc_bit_floor(__fp_stdc_bits(value)))
