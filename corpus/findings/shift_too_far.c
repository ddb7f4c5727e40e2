// Shifts by the width of the type.
// fencepost run: --overflow
static unsigned bit(unsigned n) { return 1u << n; }

int main(void) { return bit(32) != 0; }
