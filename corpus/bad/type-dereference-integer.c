// A number is not a pointer.
int main(void) {
    int x = 4;
    return *x;
}
