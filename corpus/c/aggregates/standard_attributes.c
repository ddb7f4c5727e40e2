/* The attributes of C23, wherever they may stand. */
#include <stdio.h>

[[nodiscard]] static int three(void) { return 3; }
[[maybe_unused]] static int unused;
struct [[gnu::packed]] tight { char a; int b; };
static int wide [[gnu::aligned(64)]] = 4;
enum color { RED, GREEN [[deprecated]] };

static int choose(int kind, [[maybe_unused]] int other) {
    int result = 0;
    switch (kind) {
    case 1: result = 10; [[fallthrough]];
    case 2: result += 1; break;
    default: result = -1;
    }
    return result;
}

int main(void) {
    int grid[2][2] = { { 1, 2 }, { 3, 4 } }, index[1] = { 1 };
    printf("%d %zu %d\n", three(), sizeof(struct tight), (int)((unsigned long)&wide % 64));
    printf("%d %d %d\n", choose(1, 0), choose(2, 0), choose(3, 0));
    printf("%d\n", grid[index[0]][index[0]]);
    return 0;
}
