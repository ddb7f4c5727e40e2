/* The lazy list as its pseudocode was published: a new node's `marked` is not initialised. */
#define AS_PUBLISHED
#include "lazylist_fenced.c"
