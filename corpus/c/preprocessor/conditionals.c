/* #if and its family with full expressions. */
#include <stdio.h>

#define YES 1
#define NO 0
#define VERSION 0x0203
#define HAS(x) (x > 0)

int main(void) {
#if YES
    printf("1\n");
#endif
#if NO
    printf("wrong\n");
#elif VERSION >= 0x0200 && VERSION < 0x0300
    printf("2\n");
#else
    printf("wrong\n");
#endif
#ifdef YES
#ifndef MISSING
    printf("3\n");
#else
    printf("wrong\n");
#endif
#endif
#if defined(YES) && !defined MISSING && HAS(VERSION)
    printf("4\n");
#endif
#if MISSING
    printf("wrong\n");
#elif !MISSING
    printf("5\n");
#endif
#if 0
    this is not C: don't look, "unclosed
#  if 1
    nor this
#  else
    nor this
#  endif
#else
    printf("6\n");
#endif
#if (2 + 3 * 4 == 14) && (1 << 4 | 3) == 19 && (7 / 2 * 2 + 7 % 2 == 7)
    printf("7\n");
#endif
#if -1 > 0u
    printf("8\n");
#endif
#if -1 < 0
    printf("9\n");
#endif
#if (0 ? 1 / 0 : 5) == 5 && (1 || 1 / 0)
    printf("10\n");
#endif
#if 'A' == 65 && '\n' == 10
    printf("11\n");
#endif
#if 0xffffffffffffffff == -1 && 18446744073709551615u > 0
    printf("12\n");
#endif
#if __STDC__ && __STDC_VERSION__ >= 199901L
    printf("13\n");
#endif
#   if ~0 == -1 && !0 && (1 ? 2 : 3) == 2
    printf("14\n");
#   endif
#if YES
#elif
#endif
#if __SIZEOF_POINTER__ == 8 && __CHAR_BIT__ == 8 && __INT_MAX__ == 2147483647
    printf("15\n");
#endif
    return 0;
}
