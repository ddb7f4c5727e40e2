/* <string.h>: C11 7.24. */
#pragma once

#include <fencepost/copy.h>
#include <stddef.h>

static inline void *memcpy(void *restrict to, const void *restrict from, size_t count) {
    return __fp_copy(to, from, count);
}

static inline void *memmove(void *to, const void *from, size_t count) {
    return __fp_move(to, from, count);
}

static inline void *memset(void *to, int value, size_t count) {
    char *target = to;
    unsigned long word = (unsigned char)value * 0x0101010101010101UL;
    while (count > 0) {
        size_t step = (size_t)target & 7;
        if (step == 0 && count >= 8) {
            *(unsigned long *)target = word;
            step = 8;
        } else if ((step & 3) == 0 && count >= 4) {
            *(unsigned int *)target = (unsigned int)word;
            step = 4;
        } else {
            *target = (char)value;
            step = 1;
        }
        target += step;
        count -= step;
    }
    return to;
}

static inline void *memset_explicit(void *to, int value, size_t count) {
    return memset(to, value, count);
}

static inline int memcmp(const void *left, const void *right, size_t count) {
    const unsigned char *a = left, *b = right;
    for (size_t i = 0; i < count; i++)
        if (a[i] != b[i]) return a[i] - b[i];
    return 0;
}

static inline void *memchr(const void *block, int c, size_t count) {
    const unsigned char *bytes = block;
    for (size_t i = 0; i < count; i++)
        if (bytes[i] == (unsigned char)c) return (void *)(bytes + i);
    return NULL;
}

static inline size_t strlen(const char *text) {
    size_t length = 0;
    while (text[length]) length++;
    return length;
}

static inline size_t strnlen(const char *text, size_t most) {
    size_t length = 0;
    while (length < most && text[length]) length++;
    return length;
}

static inline int strcmp(const char *left, const char *right) {
    size_t i = 0;
    while (left[i] && left[i] == right[i]) i++;
    return (unsigned char)left[i] - (unsigned char)right[i];
}

static inline int strncmp(const char *left, const char *right, size_t most) {
    for (size_t i = 0; i < most; i++) {
        if (left[i] != right[i]) return (unsigned char)left[i] - (unsigned char)right[i];
        if (!left[i]) break;
    }
    return 0;
}

static inline char *strcpy(char *restrict to, const char *restrict from) {
    size_t i = 0;
    do to[i] = from[i];
    while (from[i++]);
    return to;
}

static inline char *strncpy(char *restrict to, const char *restrict from, size_t count) {
    size_t i = 0;
    for (; i < count && from[i]; i++) to[i] = from[i];
    for (; i < count; i++) to[i] = '\0';
    return to;
}

static inline char *strcat(char *restrict to, const char *restrict from) {
    strcpy(to + strlen(to), from);
    return to;
}

static inline char *strncat(char *restrict to, const char *restrict from, size_t most) {
    char *end = to + strlen(to);
    size_t i = 0;
    for (; i < most && from[i]; i++) end[i] = from[i];
    end[i] = '\0';
    return to;
}

static inline char *strchr(const char *text, int c) {
    for (;; text++) {
        if (*text == (char)c) return (char *)text;
        if (!*text) return NULL;
    }
}

static inline char *strrchr(const char *text, int c) {
    const char *last = NULL;
    for (;; text++) {
        if (*text == (char)c) last = text;
        if (!*text) return (char *)last;
    }
}

static inline size_t strspn(const char *text, const char *accepted) {
    size_t length = 0;
    while (text[length] && strchr(accepted, text[length])) length++;
    return length;
}

static inline size_t strcspn(const char *text, const char *rejected) {
    size_t length = 0;
    while (text[length] && !strchr(rejected, text[length])) length++;
    return length;
}

static inline char *strpbrk(const char *text, const char *accepted) {
    text += strcspn(text, accepted);
    return *text ? (char *)text : NULL;
}

static inline char *strstr(const char *text, const char *part) {
    size_t length = strlen(part);
    for (;; text++) {
        if (strncmp(text, part, length) == 0) return (char *)text;
        if (!*text) return NULL;
    }
}

static inline char *strdup(const char *text) {
    size_t size = strlen(text) + 1;
    return __fp_memcpy_by_1(__fp_alloc(size, 16, 0), text, size);
}

static inline char *strndup(const char *text, size_t most) {
    size_t length = strnlen(text, most);
    char *copy = __fp_alloc(length + 1, 16, 0);
    __fp_memcpy_by_1(copy, text, length);
    copy[length] = '\0';
    return copy;
}

static inline void *memrchr(const void *block, int c, size_t count) {
    const unsigned char *bytes = block;
    while (count-- > 0)
        if (bytes[count] == (unsigned char)c) return (void *)(bytes + count);
    return NULL;
}

static inline void *memmem(const void *block, size_t count, const void *part, size_t length) {
    const char *bytes = block;
    for (size_t i = 0; i + length <= count; i++)
        if (memcmp(bytes + i, part, length) == 0) return (void *)(bytes + i);
    return NULL;
}

static inline void *memccpy(void *restrict to, const void *restrict from, int c, size_t count) {
    unsigned char *target = to;
    const unsigned char *source = from;
    for (size_t i = 0; i < count; i++) {
        target[i] = source[i];
        if (source[i] == (unsigned char)c) return target + i + 1;
    }
    return NULL;
}

static inline void *mempcpy(void *restrict to, const void *restrict from, size_t count) {
    return (char *)__fp_copy(to, from, count) + count;
}

static inline char *stpcpy(char *restrict to, const char *restrict from) {
    while ((*to = *from++)) to++;
    return to;
}

static inline char *stpncpy(char *restrict to, const char *restrict from, size_t count) {
    size_t length = strnlen(from, count);
    strncpy(to, from, count);
    return to + length;
}

static inline char *strchrnul(const char *text, int c) {
    while (*text && *text != (char)c) text++;
    return (char *)text;
}

/* In the "C" locale strings are ordered by their bytes. */
static inline int strcoll(const char *left, const char *right) {
    return strcmp(left, right);
}

static inline size_t strxfrm(char *restrict to, const char *restrict from, size_t count) {
    size_t length = strlen(from);
    if (count > 0) strncpy(to, from, count);
    return length;
}

static inline char *strtok_r(char *restrict text, const char *restrict between,
                             char **restrict rest) {
    if (!text) text = *rest;
    text += strspn(text, between);
    char *end = text + strcspn(text, between);
    *rest = end;
    if (end == text) return NULL;
    if (*end) {
        *end = '\0';
        *rest = end + 1;
    }
    return text;
}

/* One place in the text for all threads, as POSIX allows: two that use it at once go wrong. */
static char *__fp_token_rest;

static inline char *strtok(char *restrict text, const char *restrict between) {
    return strtok_r(text, between, &__fp_token_rest);
}

static inline char *strsep(char **restrict text, const char *restrict between) {
    char *start = *text;
    if (!start) return NULL;
    char *end = start + strcspn(start, between);
    *text = NULL;
    if (*end) {
        *end = '\0';
        *text = end + 1;
    }
    return start;
}

static inline char *strerror(int number) {
    (void)number;
    return (char *)"an error";
}

/* Soundness S-037 (run, check, verify; languages; cries wolf): `strtok` keeps one place in the
   text for all threads, which races where a library with a place for each thread does not. Test:
   corpus/verify/approximations/strtok_in_two_threads.c. */

/* C11 K.3.7: what would not fit is not copied, and the target is cleared. */
typedef size_t rsize_t;
typedef int errno_t;

static inline errno_t memcpy_s(void *restrict to, rsize_t size, const void *restrict from,
                               rsize_t count) {
    if (to == NULL || from == NULL || count > size) {
        if (to != NULL) memset(to, 0, size);
        return 22;
    }
    __fp_copy(to, from, count);
    return 0;
}

static inline errno_t memmove_s(void *to, rsize_t size, const void *from, rsize_t count) {
    if (to == NULL || from == NULL || count > size) {
        if (to != NULL) memset(to, 0, size);
        return 22;
    }
    __fp_move(to, from, count);
    return 0;
}

static inline errno_t memset_s(void *to, rsize_t size, int value, rsize_t count) {
    if (to == NULL) return 22;
    memset(to, value, count < size ? count : size);
    return count > size ? 22 : 0;
}
