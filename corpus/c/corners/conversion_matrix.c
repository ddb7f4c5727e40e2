/* Every integer type converted to every other. */
#include <stdio.h>

#define TYPES(X) X(_Bool) X(signed char) X(unsigned char) X(short) X(unsigned short) X(int) X(unsigned) \
    X(long) X(unsigned long) X(__int128)

#define TO(type) printf(" %ld", (long)(type)v);
#define FROM(type, value) { type v = (type)(value); printf("%s:", #type); TYPES(TO) printf("\n"); }

int main(void) {
    long values[] = { 0, 1, -1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x7fffffff, 0x80000000, 0x123456789abcdef };
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        FROM(_Bool, values[i])
        FROM(signed char, values[i])
        FROM(unsigned char, values[i])
        FROM(short, values[i])
        FROM(unsigned short, values[i])
        FROM(int, values[i])
        FROM(unsigned, values[i])
        FROM(long, values[i])
        FROM(unsigned long, values[i])
        FROM(__int128, values[i])
    }
    return 0;
}
