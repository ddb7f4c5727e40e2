/* ms2_fenced.c with the commit point of a dequeue one load too early. */
#define COMMIT_AT_HEAD
#include "ms2_fenced.c"
