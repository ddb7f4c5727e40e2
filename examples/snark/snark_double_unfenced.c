/* Snark as published without its fences, with a client for its second bug. */
#include <checkfence.h>
#undef fence
#define fence(kind) ((void)0)
#include "snark.h"
#include "double.h"
