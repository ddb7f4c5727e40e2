/* msn_fenced.c without its fences (those inside lock and unlock stay). */
#include <checkfence.h>
#undef fence
#define fence(kind) ((void)0)
#include "msn_fenced.c"
