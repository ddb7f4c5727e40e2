/* msn_fenced.c without the fence of line 58: the tail is read after the node behind the head. */
#include <checkfence.h>
#undef fence
#define fence(kind) do { if (__LINE__ != 58) __fp_fence(kind); } while (0)
#include "msn_fenced.c"
