/* <locale.h>: there is one locale, "C". */
#pragma once

#include <stddef.h>

#define LC_CTYPE 0
#define LC_NUMERIC 1
#define LC_TIME 2
#define LC_COLLATE 3
#define LC_MONETARY 4
#define LC_MESSAGES 5
#define LC_ALL 6

static inline char *setlocale(int category, const char *locale) {
    (void)category;
    return !locale || !*locale || (*locale == 'C' && !locale[1]) ? (char *)"C" : NULL;
}
