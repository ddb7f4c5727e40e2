// Types of variable-length arrays outside of declarations, and their addresses.
int f(int n, int m) {
    typedef int numbers[m];
    int row[n];
    int (*whole)[] = &row;
    return row[0];
}
int main(void) { return f(1, 2); }
