/* Arrays of arrays: layout, decay, parameters. */
#include <stdio.h>

static int sum(int rows, int m[][4]) {
    int total = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < 4; j++) total += m[i][j];
    return total;
}

static void negate(int (*row)[4]) {
    for (int j = 0; j < 4; j++) (*row)[j] = -(*row)[j];
}

int main(void) {
    int m[3][4];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) m[i][j] = i * 10 + j;
    printf("%d %d\n", m[2][1], *(*(m + 1) + 3));
    printf("%zu %zu %zu\n", sizeof m, sizeof m[0], sizeof m[0][0]);
    printf("%d\n", sum(3, m));
    negate(&m[1]);
    negate(m + 2);
    printf("%d\n", sum(3, m));
    int *flat = &m[0][0];
    printf("%d\n", flat[3]);
    int cube[2][3][2] = { { { 1, 2 }, { 3, 4 }, { 5, 6 } }, { { 7, 8 }, { 9 } } };
    printf("%d %d %d %d\n", cube[0][2][1], cube[1][1][0], cube[1][1][1], cube[1][2][0]);
    printf("%zu %td\n", sizeof cube, (char *)cube[1] - (char *)cube[0]);
    char names[3][6] = { "ab", "cdefg", "hijklm" };
    printf("%s %s %.6s %c\n", names[0], names[1], names[2], names[2][5]);
    int (*rows)[4] = m;
    rows++;
    printf("%d %td\n", rows[0][1], rows - m);
    return 0;
}
