/* Copying for <string.h> and <stdlib.h>: by words of 8, 4, 2 and 1 bytes as alignment allows, so
   that a pointer or an integer is read and written in one piece, as compiled copies do. */
#pragma once

static inline void *__fp_copy(void *to, const void *from, unsigned long count) {
    char *target = to;
    const char *source = from;
    while (count > 0) {
        unsigned long step = ((unsigned long)target | (unsigned long)source) & 7;
        if (step == 0 && count >= 8) {
            *(unsigned long *)target = *(const unsigned long *)source;
            step = 8;
        } else if ((step & 3) == 0 && count >= 4) {
            *(unsigned int *)target = *(const unsigned int *)source;
            step = 4;
        } else if ((step & 1) == 0 && count >= 2) {
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
    while (count > 0) {
        char *target = to + count;
        const char *source = from + count;
        unsigned long step = ((unsigned long)target | (unsigned long)source) & 7;
        if (step == 0 && count >= 8) {
            *(unsigned long *)(target - 8) = *(const unsigned long *)(source - 8);
            step = 8;
        } else if ((step & 3) == 0 && count >= 4) {
            *(unsigned int *)(target - 4) = *(const unsigned int *)(source - 4);
            step = 4;
        } else if ((step & 1) == 0 && count >= 2) {
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
