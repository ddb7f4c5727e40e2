// Assignments to what is not a place.
int f(void);
int main(void) {
    int a = 1, b = 2;
    a + b = 3;
    f() = 4;
    5 = a;
    return 0;
}
