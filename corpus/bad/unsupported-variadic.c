// Variable arguments that are structs, and a list where there are none.
#include <stdarg.h>
struct pair { int a, b; };
int sum(int n, ...) {
    va_list ap;
    va_start(ap, n);
    struct pair first = va_arg(ap, struct pair);
    va_end(ap);
    return first.a + n;
}
int fixed(int n) {
    va_list ap;
    va_start(ap, n);
    return n;
}
int main(void) { return sum(1, 2) + fixed(1); }
