// Functions that take any number of arguments and ignore them; what main never calls may be missing.
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>

static volatile sig_atomic_t calls;

static int trace(const char *format, ...) {
    calls++;
    return format[0];
}

int main(void) {
    int (*indirect)(const char *, ...) = trace;
    int value = trace("a", 1, 2L, "three");
    value += indirect("b");
    value += indirect("c", &value);
    printf("%d %d\n", value, calls);
    return 0;
}
