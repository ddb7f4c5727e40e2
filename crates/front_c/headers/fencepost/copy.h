/* Copying for <string.h> and <stdlib.h>: member by member where it is known where members begin, and
   otherwise by words of 8, 4, 2 and 1 bytes as alignment allows, so that a pointer or an integer is
   read and written in one piece, as compiled copies do. */
#pragma once

/* After how many bytes members begin again, if they begin as the bits say. */
static inline unsigned long __fp_period(unsigned long members) {
    return 63 - __builtin_clzl(members);
}

/* How many bytes there are from a place before that to the next beginning of a member, and back from
   a place to the last. */
static inline unsigned long __fp_until_next(unsigned long members, unsigned long at) {
    return __builtin_ctzl(members >> (at + 1)) + 1;
}

static inline unsigned long __fp_since_last(unsigned long members, unsigned long at) {
    return at - (63 - __builtin_clzl(members & ((1UL << at) - 1)));
}

static inline unsigned long __fp_less(unsigned long a, unsigned long b) { return a < b ? a : b; }

/* The widest access that ends and begins at a multiple of itself, up to a width and an alignment. */
static inline unsigned long __fp_step(unsigned long widest, unsigned long align, unsigned long at) {
    while (align > widest || (at & (align - 1))) align >>= 1;
    return align;
}

static inline void __fp_copy_one(char *target, const char *source, unsigned long width) {
    if (width == 8) *(unsigned long *)target = *(const unsigned long *)source;
    else if (width == 4) *(unsigned int *)target = *(const unsigned int *)source;
    else if (width == 2) *(unsigned short *)target = *(const unsigned short *)source;
    else *target = *source;
}

/* Copies between addresses that are multiples of `align`. */
static inline void __fp_copy_aligned(char *target, const char *source, unsigned long count,
                                     unsigned long align) {
    unsigned long members = __fp_members(target), others = __fp_members(source);
    unsigned long at = 0, other = 0;
    for (unsigned long done = 0; done < count;) {
        unsigned long widest =
            __fp_less(__fp_until_next(members, at), __fp_until_next(others, other));
        unsigned long step = __fp_step(__fp_less(widest, count - done), align, done);
        __fp_copy_one(target + done, source + done, step);
        at = at + step == __fp_period(members) ? 0 : at + step;
        other = other + step == __fp_period(others) ? 0 : other + step;
        done += step;
    }
}

/* The same from the end on. */
static inline void __fp_copy_aligned_backward(char *target, const char *source,
                                              unsigned long count, unsigned long align) {
    unsigned long members = __fp_members(target), others = __fp_members(source);
    unsigned long at = count, other = count;
    while (at > __fp_period(members)) at -= __fp_period(members);
    while (other > __fp_period(others)) other -= __fp_period(others);
    while (count > 0) {
        unsigned long widest =
            __fp_less(__fp_since_last(members, at), __fp_since_last(others, other));
        unsigned long step = __fp_step(widest, align, count);
        count -= step;
        __fp_copy_one(target + count, source + count, step);
        at = at == step ? __fp_period(members) : at - step;
        other = other == step ? __fp_period(others) : other - step;
    }
}

/* What an access to both addresses can be a multiple of. Each alignment has code of its own, in which
   the widths do not depend on the addresses. */
#define __FP_BY_ALIGNMENT(copy, to, from, count)                                                   \
    switch (((unsigned long)(to) | (unsigned long)(from)) & 7) {                                   \
    case 0: copy(to, from, count, 8); break;                                                       \
    case 4: copy(to, from, count, 4); break;                                                       \
    case 2:                                                                                        \
    case 6: copy(to, from, count, 2); break;                                                       \
    default: copy(to, from, count, 1);                                                             \
    }

static inline void *__fp_copy(void *to, const void *from, unsigned long count) {
    __FP_BY_ALIGNMENT(__fp_copy_aligned, to, from, count)
    return to;
}

/* For blocks that overlap. */
static inline void *__fp_copy_backward(char *to, const char *from, unsigned long count) {
    __FP_BY_ALIGNMENT(__fp_copy_aligned_backward, to, from, count)
    return to;
}

#undef __FP_BY_ALIGNMENT

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

/* Soundness S-331 (run, check, verify; all; misses): Copies through pointers to `void` go member by
   member if the members of all objects that may be copied there, or of the elements if they are
   arrays, begin at the same places, and a copy is taken to begin where an element does; otherwise, as
   `run` always does, by words of 8, 4, 2 and 1 bytes as alignment allows, so members that share such a
   word are not torn from each other, although a library may copy them one by one. Test:
   crates/ir/src/passes/members.rs::members_are_accessed_one_by_one,
   corpus/real/ring_of_elements.c, corpus/real/mixed_members.c. */
