// Floating-point types can be declared and measured, though nothing is computed with them.
#include <stdio.h>

typedef double real;
extern double atof(const char *);
extern long double powl(long double, real);
struct sample { char tag; float value; int number; double more; };
typedef int word __attribute__((__mode__(__word__)));
typedef unsigned int byte __attribute__((mode(QI)));

int main(void) {
    struct sample one = { .tag = 't', .number = 5 }, other;
    other = one;
    printf("%d %d %d\n", (int)sizeof one, (int)sizeof(real), (int)sizeof(long double));
    printf("%c %d %d %d\n", other.tag, other.number, (int)sizeof(word), (int)sizeof(byte));
    return 0;
}
