// Signed overflow, which is a finding only where asked for.
// fencepost run: --overflow
#include <limits.h>

static int next(int x) { return x + 1; }

int main(void) { return next(INT_MAX) < 0; }
