/* <stdarg.h>: C11 7.16. Including it and naming va_list is fine, and so are functions that take a
   variable number of arguments and ignore them; walking the arguments is refused where it is
   written. */
#pragma once

typedef struct {
    unsigned long __fp_words[3];
} va_list[1];

#define va_start(list, last) __builtin_va_start(list, last)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_end(list) __builtin_va_end(list)
