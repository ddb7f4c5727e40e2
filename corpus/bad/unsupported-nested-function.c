// A function inside a function.
int main(void) {
    int base = 1;
    int add(int x) { return x + base; }
    return add(2);
}
