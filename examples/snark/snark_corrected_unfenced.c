/* Snark with both bugs corrected, without its fences, for tests. */
#include <checkfence.h>
#undef fence
#define fence(kind) ((void)0)
#define CORRECTED
#include "snark.h"
