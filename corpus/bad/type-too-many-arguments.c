// A call with too many arguments.
int next(int a) { return a + 1; }
int main(void) { return next(1, 2); }
