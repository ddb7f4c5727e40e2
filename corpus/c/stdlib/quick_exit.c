// Ending without running what atexit was given.
#include <stdio.h>
#include <stdlib.h>

static void never(void) { printf("never\n"); }
static void first(void) { printf("first\n"); fflush(stdout); }
static void second(void) { printf("second\n"); }

int main(void) {
    atexit(never);
    at_quick_exit(first);
    at_quick_exit(second);
    quick_exit(7);
}
