/* bsearch finds each element of a sorted array and nothing else. */
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

int main(void) {
    int numbers[] = { 1, 3, 5, 7, 9, 11, 13 };
    for (int count = 0; count <= 7; count++) {
        int found = 0, right = 0;
        for (int key = 0; key <= 14; key++) {
            int *place = bsearch(&key, numbers, (size_t)count, sizeof numbers[0], compare);
            found += place != NULL;
            right += place && *place == key;
        }
        printf("%d %d\n", found, right);
    }
    return 0;
}
