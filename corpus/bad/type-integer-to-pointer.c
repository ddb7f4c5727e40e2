// A number where a pointer is wanted.
int main(void) {
    int *p = 42;
    return p != 0;
}
