/* Snark as published without its fences, with a client for its first bug. */
#include <checkfence.h>
#undef fence
#define fence(kind) ((void)0)
#include "snark.h"
#include "empty.h"
