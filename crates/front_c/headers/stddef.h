/* <stddef.h>: common types (C11 7.19), as the LP64 ABI has them. */
#pragma once

typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef int wchar_t;

/* 32 bytes aligned to 16: what gcc's has on x86-64, where it holds a long double. */
typedef struct {
    _Alignas(16) long __fp_words[4];
} max_align_t;

#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)
