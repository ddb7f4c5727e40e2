// rand() is between 0 and RAND_MAX.
//@ all: holds: that is all that is used
#include <stdlib.h>
#include <assert.h>
int main(void) { int a = rand(), b = random() % 10; assert(a >= 0 && a <= RAND_MAX); assert(b >= 0 && b < 10); return 0; }
