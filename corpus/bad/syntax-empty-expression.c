// Operators without operands, twice, and a good line between.
int main(void) {
    int x = 1 + ;
    int y = 2;
    y = * ;
    return x + y;
}
