/* ms2_fenced.c without the fence of line 57: a value is read before the pointer to its node. */
#include <checkfence.h>
#undef fence
#define fence(kind) do { if (__LINE__ != 57) __fp_fence(kind); } while (0)
#include "ms2_fenced.c"
