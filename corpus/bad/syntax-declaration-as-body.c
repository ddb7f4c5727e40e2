// A declaration where a statement must stand.
int main(int argc, char **argv) {
    if (argc > 1)
        int x = argc;
    return 0;
}
