/* realloc keeps the common part, pointers included. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *numbers = NULL, capacity = 0, count = 0;
    for (int i = 0; i < 20; i++) {
        if (count == capacity) {
            capacity = capacity ? capacity * 2 : 1;
            numbers = realloc(numbers, (size_t)capacity * sizeof *numbers);
        }
        numbers[count++] = i;
    }
    int sum = 0;
    for (int i = 0; i < count; i++) sum += numbers[i];
    numbers = realloc(numbers, 2 * sizeof *numbers);
    printf("%d %d %d %d\n", sum, capacity, numbers[0], numbers[1]);
    free(numbers);
    const char **words = malloc(sizeof *words);
    words[0] = "kept";
    words = realloc(words, 3 * sizeof *words);
    words[2] = "new";
    printf("%s %s\n", words[0], words[2]);
    free(words);
    return 0;
}
