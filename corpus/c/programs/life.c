/* Conway's game of life on a torus. */
#include <stdio.h>
#include <string.h>

enum { W = 10, H = 8 };
typedef unsigned char board[H][W];

static int neighbours(board b, int y, int x) {
    int n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dy || dx) n += b[(y + dy + H) % H][(x + dx + W) % W];
    return n;
}

static void step(board b) {
    board next;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            int n = neighbours(b, y, x);
            next[y][x] = n == 3 || (n == 2 && b[y][x]);
        }
    memcpy(b, next, sizeof next);
}

static void show(board b) {
    for (int y = 0; y < H; y++) {
        for (int x = 0; x < W; x++) putchar(b[y][x] ? '#' : '.');
        putchar('\n');
    }
    putchar('\n');
}

int main(void) {
    board b = { [0][1] = 1, [1][2] = 1, [2] = { 1, 1, 1 }, [5][6 ... 8] = 1 };
    show(b);
    for (int i = 0; i < 6; i++) step(b);
    show(b);
    return 0;
}
