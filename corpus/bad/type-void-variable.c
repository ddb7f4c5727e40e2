// A variable of no type, and a result that is none.
void f(void) {}
int main(void) {
    void x;
    int y = f();
    return y;
}
