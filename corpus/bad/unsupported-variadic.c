// Variable arguments that are structs.
#include <stdarg.h>
struct pair { int a, b; };
int sum(int n, ...) {
    va_list ap;
    va_start(ap, n);
    struct pair first = va_arg(ap, struct pair);
    va_end(ap);
    return first.a + n;
}
int main(void) { return sum(1, 2); }
