// Resizes a block that is gone.
#include <stdlib.h>

int main(void) {
    char *p = malloc(8);
    free(p);
    p = realloc(p, 16);
    return p == 0;
}
