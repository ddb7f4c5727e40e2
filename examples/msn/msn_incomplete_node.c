/* msn_fenced.c without the fence of line 32: a node can be reached before it is complete. */
#include <checkfence.h>
#undef fence
#define fence(kind) do { if (__LINE__ != 32) __fp_fence(kind); } while (0)
#include "msn_fenced.c"
