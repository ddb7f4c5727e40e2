// A function of our own that takes any number of arguments.
#include <stdarg.h>
int sum(int n, ...) {
    va_list ap;
    int total = 0;
    va_start(ap, n);
    while (n--) total += va_arg(ap, int);
    va_end(ap);
    return total;
}
int main(void) { return sum(2, 1, 2); }
