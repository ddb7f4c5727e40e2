// Frees a block twice.
#include <stdlib.h>

static void discard(void *block) { free(block); }

int main(void) {
    char *block = malloc(16);
    discard(block);
    discard(block);
    return 0;
}
