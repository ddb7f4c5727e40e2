// A list of arguments where there are none.
#include <stdarg.h>
int fixed(int n) {
    va_list ap;
    va_start(ap, n);
    return n;
}
int main(void) { return fixed(1); }
