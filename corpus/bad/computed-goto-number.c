// A goto to what is no address, and the address of a label that is not there.
int main(void) {
    int target = 1;
    void *nowhere = &&missing;
    goto *target;
    goto *nowhere;
}
