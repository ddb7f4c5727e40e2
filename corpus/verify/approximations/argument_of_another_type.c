// A variable argument is a pointer and is read as a number of the same size.
//@ all: holds: the types of variable arguments are not compared (S-026)
#include <stdarg.h>

static long first(int count, ...) {
    va_list arguments;
    va_start(arguments, count);
    long number = va_arg(arguments, long);
    va_end(arguments);
    return number;
}

int main(void) {
    int number = 1;
    return first(1, (void *)&number) == 0;
}
