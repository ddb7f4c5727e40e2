// A matrix whose rows are as long as another parameter says.
static int last(int n, int m, int matrix[n][m]) { return matrix[n - 1][m - 1]; }

int main(void) {
    int matrix[2][2] = { { 1, 2 }, { 3, 0 } };
    return last(2, 2, matrix);
}
