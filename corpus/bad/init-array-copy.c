// Arrays cannot be assigned or copied as a whole.
int main(void) {
    int a[2] = {1, 2};
    int b[2] = a;
    b = a;
    return b[0];
}
