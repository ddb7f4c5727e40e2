/* msn_fenced.c with the commit point of an empty dequeue one load earlier, which is right too. */
#define COMMIT_AT_TAIL
#include "msn_fenced.c"
