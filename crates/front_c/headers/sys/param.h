/* <sys/param.h>: what of it is not about an operating system. */
#pragma once

#include <limits.h>
#include <sys/types.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define howmany(x, y) (((x) + ((y) - 1)) / (y))
#define roundup(x, y) (howmany(x, y) * (y))
#define powerof2(x) ((((x) - 1) & (x)) == 0)
