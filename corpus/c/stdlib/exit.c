/* exit ends the program with its status, from anywhere. */
#include <stdio.h>
#include <stdlib.h>

static void leave(int status) {
    printf("leaving\n");
    exit(status);
}

int main(void) {
    leave(3);
    printf("never\n");
    return EXIT_SUCCESS;
}
