// Arrays of rows whose lengths are known only when the program runs, as locals and parameters.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static int sum(int n, int m, int a[n][m]);

static int sum(int n, int m, int a[n][m]) {
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) s += a[i][j];
    return s;
}

static int cube(int n, int a[n][n + 1][n * 2]) {
    return a[n - 1][n][2 * n - 1] + (int)sizeof a[0] + (int)sizeof a[0][0];
}

static int row(int m, int (*a)[m]) {
    return a[1][m - 1];
}

int main(void) {
    volatile int three = 3;
    int n = 2, m = three;
    int a[n][m];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[i][j] = 10 * i + j;
    assert(sum(n, m, a) == 0 + 1 + 2 + 10 + 11 + 12);
    assert(sizeof a == 24 && sizeof a[0] == 12 && sizeof a[0][0] == 4);
    int b[2][m];
    b[1][m - 1] = 7;
    *b[1] = 4;
    (*b)[1] = 3;
    assert(b[1][2] == 7 && b[1][0] == 4 && b[0][1] == 3);
    assert(row(m, b) == 7);
    int fixed[2][3] = {{1, 2, 3}, {4, 5, 6}};
    assert(sum(2, 3, fixed) == 21);
    int c[n][n + 1][n * 2];
    c[1][2][3] = 5;
    assert(cube(n, c) == 5 + 48 + 16);
    int (*p)[m] = malloc(n * sizeof *p);
    p[1][2] = 9;
    int *q = p[1] + 2;
    assert(*q == 9 && &p[1][2] == q && (char *)(p + 1) - (char *)p == 12);
    int (*r)[m] = &p[1];
    assert((*r)[2] == 9);
    for (int k = 1; k < 3; k++) {
        int d[k][k];
        d[k - 1][k - 1] = k;
        printf("%d %d\n", (int)sizeof d, d[k - 1][k - 1]);
    }
    free(p);
    printf("%d\n", sum(2, 3, fixed));
    return 0;
}
