/* What a double-ended queue of ints is, for tests that compare with it (`--spec`): one thread at
   a time, an array that is filled from its middle, no tricks. */
#include <fencepost.h>

enum { ROOM = 64, EMPTY = -1 };

static int values[ROOM];
static int left, right; /* the values are from `left` up to, not including, `right` */

void init(void) { left = right = ROOM / 2; }

static int any_value(void) {
    int value = fp_choose(0, 1);
    fp_observe("value", value);
    return value;
}

void al(void) { values[--left] = any_value(); }
void ar(void) { values[right++] = any_value(); }
void rl(void) { fp_observe("taken", left == right ? EMPTY : values[left++]); }
void rr(void) { fp_observe("taken", left == right ? EMPTY : values[--right]); }
