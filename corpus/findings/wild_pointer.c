// Makes a pointer from a plain number.
int main(void) {
    int *port = (int *)0x12345678;
    *port = 1;
    return 0;
}
