// Branches on a variable that was never set.
int main(int argc, char **argv) {
    int ready;
    if (argc > 5)
        ready = 1;
    if (ready)
        return 1;
    return 0;
}
