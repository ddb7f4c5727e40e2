/* Later initialisers replace earlier ones: in ranges, in unions, behind excess values. */
#include <stdio.h>

struct p { int a : 3, b : 5; char c; };
union u { short s[3]; long l; };

static short ranges[4] = { 6, [0 ... 1] = 49, 56 };
static int again[5] = { [1 ... 3] = 7, [2] = 8, [0] = 1, 2 };
static struct p many[1000] = { [0 ... 999] = { 1, 2, 3 }, [500].b = 9 };
static union u parts[2] = { { { 9, [0] = 10 } }, [0].s[2] = -11 };
static union u other[2] = { { .l = -1 }, { .s[1] = 2, .l = 3 } };
static int excess[3] = { [2] = 1, 99, [0] = 5 };
static struct p list[3] = { [1].c = 4, { 1 }, { 2 }, [2].b = 6 };

int main(void) {
    printf("%d %d %d %d\n", ranges[0], ranges[1], ranges[2], ranges[3]);
    for (int i = 0; i < 5; i++) printf("%d ", again[i]);
    printf("\n%d %d %d %d %d\n", many[0].a, many[499].b, many[500].b, many[500].c, many[999].c);
    printf("%d %d %d\n", parts[0].s[0], parts[0].s[1], parts[0].s[2]);
    printf("%ld %ld\n", other[0].l, other[1].l);
    printf("%d %d %d\n", excess[0], excess[1], excess[2]);
    for (int i = 0; i < 3; i++) printf("%d %d %d\n", list[i].a, list[i].b, list[i].c);
    int local[4] = { [0 ... 3] = 1, [1 ... 2] = 2, [2] = 3 };
    printf("%d %d %d %d\n", local[0], local[1], local[2], local[3]);
    return 0;
}
