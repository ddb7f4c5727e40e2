// A syntax error that two macros make together.
#define OPEN(x) (x
#define SUM(a, b) OPEN(a) + b
int main(void) {
    int y = SUM(1, 2);
    return y;
}
