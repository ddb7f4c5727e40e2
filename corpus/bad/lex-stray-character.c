// A character that no token starts with.
int main(void) {
    int x = 1 @ 2;
    return x;
}
