// Reads past the end of a global array.
#include <stdio.h>

static char name[3] = {'a', 'b', 'c'};

int main(void) {
    printf("%s\n", name);
    return 0;
}
