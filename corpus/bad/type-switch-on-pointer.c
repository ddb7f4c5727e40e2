// A switch on a pointer, and a case that is not constant.
int main(int argc, char **argv) {
    switch (argv) { case 0: return 1; }
    switch (argc) { case sizeof(int) + argc: return 2; }
    return 0;
}
