/* Copying for <string.h> and <stdlib.h>: in the width of the members if they have one in common, and
   otherwise by words of 8, 4, 2 and 1 bytes as alignment allows, so that a pointer or an integer is
   read and written in one piece, as compiled copies do. */
#pragma once

/* The widest access. */
static inline unsigned long __fp_widest(const void *to, const void *from) {
    unsigned long width = __fp_member_width(to), other = __fp_member_width(from);
    return other < width ? other : width;
}

static inline void *__fp_copy(void *to, const void *from, unsigned long count) {
    unsigned long widest = __fp_widest(to, from);
    char *target = to;
    const char *source = from;
    while (count > 0) {
        unsigned long step = ((unsigned long)target | (unsigned long)source) & 7;
        if (widest == 8 && step == 0 && count >= 8) {
            *(unsigned long *)target = *(const unsigned long *)source;
            step = 8;
        } else if (widest >= 4 && (step & 3) == 0 && count >= 4) {
            *(unsigned int *)target = *(const unsigned int *)source;
            step = 4;
        } else if (widest >= 2 && (step & 1) == 0 && count >= 2) {
            *(unsigned short *)target = *(const unsigned short *)source;
            step = 2;
        } else {
            *target = *source;
            step = 1;
        }
        target += step;
        source += step;
        count -= step;
    }
    return to;
}

/* The same from the end on, for blocks that overlap. */
static inline void *__fp_copy_backward(char *to, const char *from, unsigned long count) {
    unsigned long widest = __fp_widest(to, from);
    while (count > 0) {
        char *target = to + count;
        const char *source = from + count;
        unsigned long step = ((unsigned long)target | (unsigned long)source) & 7;
        if (widest == 8 && step == 0 && count >= 8) {
            *(unsigned long *)(target - 8) = *(const unsigned long *)(source - 8);
            step = 8;
        } else if (widest >= 4 && (step & 3) == 0 && count >= 4) {
            *(unsigned int *)(target - 4) = *(const unsigned int *)(source - 4);
            step = 4;
        } else if (widest >= 2 && (step & 1) == 0 && count >= 2) {
            *(unsigned short *)(target - 2) = *(const unsigned short *)(source - 2);
            step = 2;
        } else {
            target[-1] = source[-1];
            step = 1;
        }
        count -= step;
    }
    return to;
}

static inline void *__fp_move(void *to, const void *from, unsigned long count) {
    unsigned long target = (unsigned long)to, source = (unsigned long)from;
    if (target <= source || target >= source + count) return __fp_copy(to, from, count);
    return __fp_copy_backward(to, from, count);
}

/* The same, and others, on arrays of numbers of one width, wherever they are: by that width. What
   is behind the last whole one goes by bytes. */
#define __FP_BY_WIDTH(width, word)                                                                 \
    typedef word __fp_word_##width __attribute__((aligned(1)));                                    \
                                                                                                   \
    static inline void *__fp_memset_by_##width(void *to, int value, unsigned long count) {         \
        char *target = to;                                                                         \
        unsigned long at = 0;                                                                      \
        word number = (word)((unsigned char)value * 0x0101010101010101UL);                         \
        for (; at + width <= count; at += width) *(__fp_word_##width *)(target + at) = number;     \
        for (; at < count; at++) target[at] = (char)value;                                         \
        return to;                                                                                 \
    }                                                                                              \
                                                                                                   \
    static inline void *__fp_memcpy_by_##width(void *to, const void *from, unsigned long count) {  \
        char *target = to;                                                                         \
        const char *source = from;                                                                 \
        unsigned long at = 0;                                                                      \
        for (; at + width <= count; at += width)                                                   \
            *(__fp_word_##width *)(target + at) = *(const __fp_word_##width *)(source + at);       \
        for (; at < count; at++) target[at] = source[at];                                          \
        return to;                                                                                 \
    }                                                                                              \
                                                                                                   \
    static inline void *__fp_memmove_by_##width(void *to, const void *from, unsigned long count) { \
        unsigned long distance = (unsigned long)to - (unsigned long)from;                          \
        if (distance >= count) return __fp_memcpy_by_##width(to, from, count);                     \
        char *target = to;                                                                         \
        const char *source = from;                                                                 \
        unsigned long at = count;                                                                  \
        for (; at % width; at--) target[at - 1] = source[at - 1];                                  \
        for (; at; at -= width)                                                                    \
            *(__fp_word_##width *)(target + at - width) =                                          \
                *(const __fp_word_##width *)(source + at - width);                                 \
        return to;                                                                                 \
    }                                                                                              \
                                                                                                   \
    static inline int __fp_memcmp_by_##width(const void *left, const void *right,                  \
                                              unsigned long count) {                               \
        const unsigned char *a = left, *b = right;                                                 \
        unsigned long at = 0;                                                                      \
        for (; at + width <= count; at += width) {                                                 \
            word x = *(const __fp_word_##width *)(a + at);                                         \
            word y = *(const __fp_word_##width *)(b + at);                                         \
            if (x == y) continue;                                                                  \
            for (word low = 0xff;; low <<= 8)                                                      \
                if ((x & low) != (y & low)) return (x & low) < (y & low) ? -1 : 1;                 \
        }                                                                                          \
        for (; at < count; at++)                                                                   \
            if (a[at] != b[at]) return a[at] - b[at];                                              \
        return 0;                                                                                  \
    }

__FP_BY_WIDTH(1, unsigned char)
__FP_BY_WIDTH(2, unsigned short)
__FP_BY_WIDTH(4, unsigned int)
__FP_BY_WIDTH(8, unsigned long)

#undef __FP_BY_WIDTH

/* Soundness S-331 (run, check, verify; all; misses): Copies through pointers to `void` go in the width
   of the members of all objects that may be copied there, if they have one in common, and otherwise,
   as `run` always does, by words of 8, 4, 2 and 1 bytes as alignment allows, so members that share such a
   word are not torn from each other, although a library may copy them one by one. Test:
   crates/ir/src/passes/member_widths.rs::members_of_one_width_are_accessed_in_it,
   corpus/real/ring_of_elements.c. */
