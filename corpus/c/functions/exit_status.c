/* The value of main is the exit status, modulo 256. */
#include <stdio.h>

int main(int argc, char **argv) {
    printf("%d %d\n", argc, argv[argc] == 0);
    return 256 + 42;
}
