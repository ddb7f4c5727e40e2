/* Eight queens by bit masks and by arrays: the counts agree. */
#include <stdio.h>

static int masks(unsigned n, unsigned columns, unsigned left, unsigned right) {
    unsigned all = (1u << n) - 1;
    if (columns == all) return 1;
    int count = 0;
    for (unsigned free = all & ~(columns | left | right); free; free &= free - 1) {
        unsigned bit = free & -free;
        count += masks(n, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return count;
}

static int rows[8];

static int safe(int row, int column) {
    for (int r = 0; r < row; r++) {
        int d = rows[r] - column;
        if (d == 0 || d == row - r || d == r - row) return 0;
    }
    return 1;
}

static int arrays(int n, int row) {
    if (row == n) return 1;
    int count = 0;
    for (int c = 0; c < n; c++)
        if (safe(row, c)) {
            rows[row] = c;
            count += arrays(n, row + 1);
        }
    return count;
}

int main(void) {
    for (int n = 1; n <= 6; n++) printf("%d: %d %d\n", n, masks(n, 0, 0, 0), arrays(n, 0));
    return 0;
}
