// Variable-length arrays of variable-length arrays, their addresses, and one at file scope.
int f(int n, int m) {
    int table[n][m];
    int row[n];
    int (*whole)[] = &row;
    return row[0];
}
int length = 3;
int outside[length];
int main(void) { return f(1, 2); }
