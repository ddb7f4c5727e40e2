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

static inline int __fp_lower(char c) {
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

static inline int strncasecmp(const char *left, const char *right, size_t most) {
    for (size_t i = 0; i < most; i++) {
        int order = __fp_lower(left[i]) - __fp_lower(right[i]);
        if (order || !left[i]) return order;
    }
    return 0;
}

static inline int strcasecmp(const char *left, const char *right) {
    return strncasecmp(left, right, (size_t)-1);
}

static inline int ffs(int value) {
    return __builtin_ffs(value);
}

static inline int ffsl(long value) {
    return __builtin_ffsl(value);
}

static inline int ffsll(long long value) {
    return __builtin_ffsll(value);
}
