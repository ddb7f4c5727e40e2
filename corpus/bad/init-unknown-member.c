// A designator for a member that there is not, and an index out of range.
struct s { int x; } s = { .y = 1 };
int a[4] = { [4] = 1, [-1] = 2 };
int main(void) { return 0; }
