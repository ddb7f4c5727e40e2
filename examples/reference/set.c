/* What a set of ints is, for tests that compare with it (`--spec`): one thread at a time, a flag
   for each key, no tricks. */
#include <fencepost.h>
#include <stdbool.h>

enum { KEYS = 2 };

static bool present[KEYS];

void init(void) {
    for (int key = 0; key < KEYS; key++) present[key] = false;
}

static int any_key(void) {
    int key = fp_choose(0, KEYS - 1);
    fp_observe("key", key);
    return key;
}

void a(void) {
    int key = any_key();
    fp_observe("added", !present[key]);
    present[key] = true;
}

void c(void) { fp_observe("found", present[any_key()]); }

void r(void) {
    int key = any_key();
    fp_observe("removed", present[key]);
    present[key] = false;
}
