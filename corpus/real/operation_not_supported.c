// The same in an operation of a data type: alone, and when it meets another.
//$ check FILE --test '( a | a )' --test '( a | b )' --test '( c | a )' --model sc
#include <fencepost.h>
#include <time.h>
static int x, y;
extern int elsewhere(int);
void init(void) { }
void a(void) { x = 1; y = 1; fp_observe("a", 0); }
/* Only if `a` is between the two loads. */
void b(void) { int before = x, after = y; fp_observe("b", after); if (before == 0 && after == 1) elsewhere(1); }
void c(void) { fp_observe("c", elsewhere(2)); }
