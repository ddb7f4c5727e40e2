/* <uchar.h>: C11 7.28, the types. */
#pragma once

#include <stddef.h>

typedef unsigned short char16_t;
typedef unsigned int char32_t;
