/* msn_fenced.c with the commit point of an empty dequeue one load too early. */
#define COMMIT_AT_TAIL
#include "msn_fenced.c"
