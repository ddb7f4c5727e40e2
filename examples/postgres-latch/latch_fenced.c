/* latch.c with the full barriers that PostgreSQL got after the bug was understood. */
#define BARRIER() __sync_synchronize()
#include "latch.c"
