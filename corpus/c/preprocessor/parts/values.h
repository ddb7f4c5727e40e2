#ifndef VALUES_H
#define VALUES_H

#include "nested.h"

#define VALUES_ONE NESTED_BASE

static int values_two(void) { return VALUES_ONE * 2; }

#endif
