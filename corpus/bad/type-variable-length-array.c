// Types of variable-length arrays outside of declarations, their addresses, and one at file scope.
int f(int n, int m) {
    typedef int numbers[m];
    int row[n];
    int (*whole)[] = &row;
    return row[0];
}
int length = 3;
int outside[length];
int main(void) { return f(1, 2); }
