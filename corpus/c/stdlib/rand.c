/* rand gives the same sequence again after the same seed, within its range. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int first[5], outside = 0, same = 0, changed = 0;
    srand(7);
    for (int i = 0; i < 5; i++) {
        first[i] = rand();
        outside += first[i] < 0 || first[i] > RAND_MAX;
    }
    srand(7);
    for (int i = 0; i < 5; i++) same += rand() == first[i];
    for (int i = 1; i < 5; i++) changed += first[i] != first[0];
    printf("%d %d %d\n", outside, same, changed > 0);
    return 0;
}
