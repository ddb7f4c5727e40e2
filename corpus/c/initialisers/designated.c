/* Designated initialisers: out of order, nested, overriding, followed by plain ones. */
#include <stdio.h>

struct point { int x, y, z; };
struct box { struct point low, high; int colour; };

static const struct box fixed = { .high.y = 7, .high = { .x = 1, .z = 3 }, .low = { 4, 5 }, 9 };

int main(void) {
    struct point p = { .z = 3, .x = 1 };
    struct point q = { .y = 2, 3 };
    struct point r = { 1, .x = 5, 6, 7 };
    printf("%d %d %d\n", p.x, p.y, p.z);
    printf("%d %d %d\n", q.x, q.y, q.z);
    printf("%d %d %d\n", r.x, r.y, r.z);
    int a[] = { [3] = 30, 40, [1] = 10, 20 };
    printf("%zu:", sizeof a / sizeof *a);
    for (unsigned i = 0; i < sizeof a / sizeof *a; i++) printf(" %d", a[i]);
    printf("\n");
    int ranges[10] = { [0 ... 3] = 1, [6 ... 8] = 2, [7] = 5 };
    for (int i = 0; i < 10; i++) printf("%d ", ranges[i]);
    printf("\n");
    struct box b = { .high = { 1, 2, 3 }, .high.y = 20, .colour = 4 };
    printf("%d %d %d %d %d\n", b.low.x, b.high.x, b.high.y, b.high.z, b.colour);
    printf("%d %d %d %d %d %d\n", fixed.low.x, fixed.low.y, fixed.high.x, fixed.high.y, fixed.high.z, fixed.colour);
    struct point line[4] = { [1] = { 1, 2, 3 }, [2].y = 9, [0].z = 7, { .x = 8 } };
    for (int i = 0; i < 4; i++) printf("(%d %d %d) ", line[i].x, line[i].y, line[i].z);
    printf("\n");
    int m[3][3] = { [1][1] = 5, 6, [2] = { [0] = 7 }, [0] = { 1 } };
    for (int i = 0; i < 9; i++) printf("%d ", m[i / 3][i % 3]);
    printf("\n");
    char letters[] = { ['b' - 'a'] = 'B', ['d' - 'a'] = 'D' };
    printf("%zu %d %c\n", sizeof letters, letters[0], letters[3]);
    struct { int a[3]; struct point p; } mixed = { .a[1] = 4, .p.y = 5, .a[2] = 6 };
    printf("%d %d %d %d\n", mixed.a[0], mixed.a[1], mixed.a[2], mixed.p.y);
    return 0;
}
