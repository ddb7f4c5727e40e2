/* <alloca.h>: memory that lives as long as the call that asks for it. */
#pragma once

#include <stddef.h>

#define alloca(size) __builtin_alloca(size)
