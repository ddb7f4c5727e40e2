// Reads one element past the end of a block.
#include <stdlib.h>

int main(void) {
    int *numbers = calloc(4, sizeof *numbers);
    int sum = 0;
    for (int i = 0; i <= 4; i++)
        sum += numbers[i];
    return sum;
}
