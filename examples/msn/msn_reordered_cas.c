/* msn_fenced.c without the fence of line 46: the tail moves before the node is linked. */
#include <checkfence.h>
#undef fence
#define fence(kind) do { if (__LINE__ != 46) __fp_fence(kind); } while (0)
#include "msn_fenced.c"
