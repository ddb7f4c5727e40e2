/* calloc gives zeros, and refuses a product that does not fit. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    long *numbers = calloc(5, sizeof *numbers);
    long any = 0;
    for (int i = 0; i < 5; i++) any |= numbers[i];
    void **pointers = calloc(2, sizeof *pointers);
    printf("%ld %d\n", any, pointers[1] == NULL);
    volatile size_t huge = SIZE_MAX / 2;
    printf("%d\n", calloc(huge, 4) == NULL);
    free(numbers);
    free(pointers);
    return 0;
}
