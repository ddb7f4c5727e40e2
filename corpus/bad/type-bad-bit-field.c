// Bit-fields too wide, of no width, and of the wrong type.
struct s {
    int wide : 33;
    int none : 0;
    int *pointer : 3;
    unsigned negative : -1;
};
int main(void) { return 0; }
