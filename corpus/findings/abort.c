// Calls abort().
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    printf("before\n");
    abort();
}
