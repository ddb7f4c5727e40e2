// The one quotient that does not fit.
#include <limits.h>

static int quotient(int a, int b) { return a / b; }

int main(void) { return quotient(INT_MIN, -1); }
