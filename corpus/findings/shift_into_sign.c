// The highest bit of an int is that of its sign.
// fencepost run: --overflow
static int bit(int n) { return 1 << n; }

int main(void) { return bit(30) < 0 || bit(31) > 0; }
