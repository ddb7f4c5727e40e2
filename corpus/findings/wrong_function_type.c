// Calls a function with fewer arguments than it takes.
static int add(int a, int b) { return a + b; }

int main(void) {
    int (*f)(int) = (int (*)(int))add;
    return f(1);
}
