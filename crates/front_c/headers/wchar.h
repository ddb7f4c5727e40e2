/* <wchar.h>: the functions on wide strings that need no locale. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef unsigned int wint_t;

#define WEOF 0xffffffffU

static inline size_t wcslen(const wchar_t *text) {
    size_t length = 0;
    while (text[length]) length++;
    return length;
}

static inline wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from) {
    size_t i = 0;
    do to[i] = from[i];
    while (from[i++]);
    return to;
}

static inline int wcscmp(const wchar_t *left, const wchar_t *right) {
    size_t i = 0;
    while (left[i] && left[i] == right[i]) i++;
    return (left[i] > right[i]) - (left[i] < right[i]);
}

static inline wchar_t *wmemset(wchar_t *to, wchar_t value, size_t count) {
    for (size_t i = 0; i < count; i++) to[i] = value;
    return to;
}

static inline wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count) {
    for (size_t i = 0; i < count; i++) to[i] = from[i];
    return to;
}
