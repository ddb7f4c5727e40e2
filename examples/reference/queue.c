/* What a first-in-first-out queue of ints is, for tests that compare with it (`--spec`): one
   thread at a time, an array, no tricks. */
#include <fencepost.h>

enum { ROOM = 64, EMPTY = -1 };

static int values[ROOM];
static int first, end;

void init(void) { first = end = 0; }

void e(void) {
    int value = fp_choose(0, 1);
    fp_observe("value", value);
    values[end++] = value;
}

void d(void) { fp_observe("taken", first == end ? EMPTY : values[first++]); }
