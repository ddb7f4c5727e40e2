/* Matrices of fixed size by value, modular exponentiation, determinants. */
#include <stdint.h>
#include <stdio.h>

enum { SIZE = 3, MODULUS = 1000000007 };

typedef struct { int64_t at[SIZE][SIZE]; } matrix;

static matrix multiply(matrix a, matrix b) {
    matrix r = { 0 };
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            for (int k = 0; k < SIZE; k++) r.at[i][j] = (r.at[i][j] + a.at[i][k] * b.at[k][j]) % MODULUS;
    return r;
}

static matrix power(matrix base, unsigned n) {
    matrix r = { .at = { [0][0] = 1, [1][1] = 1, [2][2] = 1 } };
    for (; n; n >>= 1) {
        if (n & 1) r = multiply(r, base);
        base = multiply(base, base);
    }
    return r;
}

static long determinant(const matrix *m) {
    const int64_t (*a)[SIZE] = m->at;
    return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0])
        + a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

int main(void) {
    matrix t = { { { 1, 1, 1 }, { 1, 0, 0 }, { 0, 1, 0 } } };
    for (unsigned n = 1; n < 100; n = n * 3 + 1) printf("%ld\n", (long)power(t, n).at[0][0]);
    matrix m = { { { 2, -1, 3 }, { 0, 4, 1 }, { 5, 2, -2 } } };
    printf("%ld %ld\n", determinant(&m), determinant(&t));
    return 0;
}
