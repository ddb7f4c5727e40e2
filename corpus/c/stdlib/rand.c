/* rand gives numbers within its range, not always the same one. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int first[5], outside = 0, changed = 0;
    srand(7);
    for (int i = 0; i < 5; i++) {
        first[i] = rand();
        outside += first[i] < 0 || first[i] > RAND_MAX;
    }
    for (int i = 1; i < 5; i++) changed += first[i] != first[0];
    printf("%d %d\n", outside, changed > 0);
    return 0;
}
