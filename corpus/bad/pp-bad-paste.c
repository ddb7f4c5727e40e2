// Two tokens that do not make one.
#define GLUE(a, b) a ## b
int main(void) { return GLUE(1, +) 2; }
