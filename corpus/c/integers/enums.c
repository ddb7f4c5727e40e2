/* Enumerations: values, gaps, negatives, constant expressions, underlying types. */
#include <stdio.h>

enum colour { RED, GREEN = 5, BLUE, CYAN = BLUE * 2, LAST = CYAN };
enum sign { MINUS = -1, ZERO, PLUS };
enum { ANONYMOUS = 77, NEXT };
typedef enum { A = 'a', B, Z = 'z' } letter;
enum wide { HUGE_VALUE = 0x100000000L, SMALL = 1 };
enum unsigned_range { TOP = 0xffffffffu };
enum __attribute__((packed)) tiny { T0, T1 };

static const char *name(enum colour c) {
    switch (c) {
    case RED: return "red";
    case GREEN: return "green";
    case BLUE: return "blue";
    case CYAN: return "cyan";
    }
    return "?";
}

int main(void) {
    enum colour c = BLUE;
    enum sign s = MINUS;
    letter l = B;
    printf("%d %d %d %d %d\n", RED, GREEN, BLUE, CYAN, LAST);
    printf("%d %d %d\n", MINUS, ZERO, PLUS);
    printf("%d %d %c\n", ANONYMOUS, NEXT, l);
    printf("%s %s\n", name(c), name((enum colour)10));
    printf("%zu %zu %zu %zu\n", sizeof c, sizeof s, sizeof(enum wide), sizeof(enum tiny));
    printf("%lx\n", (long)HUGE_VALUE);
    printf("%d\n", s < 0);
    enum colour minus = (enum colour)-1;
    printf("%d\n", minus > 0);
    printf("%u\n", TOP);
    int array[CYAN] = { [GREEN] = 3 };
    printf("%zu %d\n", sizeof array / sizeof *array, array[5]);
    c++;
    printf("%d\n", c);
    enum { LOCAL = RED + 9 } local = LOCAL;
    printf("%d\n", local);
    return 0;
}
