// Common names belong to the program.
//$ verify FILE --model sc
#include <fencepost.h>
struct options { int atomic; };                 /* `atomic` is a macro */
static int lock, cas, fence;                    /* already declared as functions: where is not said */
int main(void) { struct options o = { .atomic = 0 }; return o.atomic + lock + cas + fence; }
