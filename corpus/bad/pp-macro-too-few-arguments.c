// A macro used with too few arguments.
#define MAX(a, b) ((a) > (b) ? (a) : (b))
int main(void) { return MAX(1); }
