/* <strings.h>: the old names of what is in <string.h>. */
#pragma once

#include <string.h>

static inline void bzero(void *block, size_t count) {
    memset(block, 0, count);
}

static inline void bcopy(const void *from, void *to, size_t count) {
    memmove(to, from, count);
}

static inline int bcmp(const void *left, const void *right, size_t count) {
    return memcmp(left, right, count);
}

static inline char *index(const char *text, int c) {
    return strchr(text, c);
}

static inline char *rindex(const char *text, int c) {
    return strrchr(text, c);
}
