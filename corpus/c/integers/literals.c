/* Integer constants: bases, suffixes, and the type each value gets. */
#include <stdio.h>

#define KIND(x) _Generic((x), int: "int", unsigned: "unsigned", long: "long", \
    unsigned long: "unsigned long", long long: "long long", \
    unsigned long long: "unsigned long long", char: "char", default: "other")
#define SHOW(x) printf("%-24s %s\n", #x, KIND(x))

int main(void) {
    printf("%d %d %d %d\n", 42, 052, 0x2a, 0b101010);
    printf("%d %d\n", 0, 00);
    SHOW(1);
    SHOW(2147483647);
    SHOW(2147483648);
    SHOW(0x7fffffff);
    SHOW(0x80000000);
    SHOW(0xffffffff);
    SHOW(0x100000000);
    SHOW(9223372036854775807);
    SHOW(0x8000000000000000);
    SHOW(037777777777);
    SHOW(0b1);
    SHOW(1u);
    SHOW(4294967296u);
    SHOW(1l);
    SHOW(1ul);
    SHOW(1LU);
    SHOW(1ll);
    SHOW(1ull);
    SHOW(0x80000000L);
    SHOW(0x8000000000000000L);
    SHOW(1 + 1u);
    SHOW(1 + 1l);
    SHOW(1u + 1l);
    SHOW(1ul + 1ll);
    SHOW('a');
    SHOW((char)'a');
    SHOW(-2147483648);
    return 0;
}
