/* exit ends the program from any depth. */
#include <stdio.h>
#include <stdlib.h>

static void deep(int n) {
    printf("%d\n", n);
    if (n == 3) exit(17);
    deep(n + 1);
}

int main(void) {
    deep(0);
    printf("never\n");
    return 0;
}
