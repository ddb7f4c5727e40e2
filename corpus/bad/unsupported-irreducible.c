// A jump into the middle of a loop: two ways into it.
int main(int argc, char **argv) {
    int n = 0;
    if (argc > 1) goto middle;
    while (n < 10) {
        n++;
middle:
        n += 2;
    }
    return n;
}
