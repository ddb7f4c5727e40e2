/* <stdarg.h>: C11 7.16. A va_list is a pointer, so that a function to which one is passed moves its
   own copy; gcc's on x86-64 is moved for its caller, too, which C does not promise. */
#pragma once

typedef __builtin_va_list va_list;

#define va_start(list, ...) __builtin_va_start(list __VA_OPT__(,) __VA_ARGS__)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_end(list) __builtin_va_end(list)
