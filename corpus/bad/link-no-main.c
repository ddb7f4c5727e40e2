// A program that does not start.
static int helper(int x) { return x + 1; }
