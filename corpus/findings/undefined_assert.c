// Asserts something about uninitialised memory.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *count = malloc(sizeof *count);
    assert(*count == 0);
    return 0;
}
