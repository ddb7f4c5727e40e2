// One name for two variables of one block.
int main(void) {
    int x = 1;
    long x = 2;
    return (int)x;
}
