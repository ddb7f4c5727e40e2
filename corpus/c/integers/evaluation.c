/* Short circuits, the comma operator and ?: evaluate what they must and nothing else. */
#include <stdio.h>

static int trace(int id, int value) {
    printf("%d ", id);
    return value;
}

int main(void) {
    int r;
    r = trace(1, 0) && trace(2, 1);
    printf("-> %d\n", r);
    r = trace(3, 1) && trace(4, 7);
    printf("-> %d\n", r);
    r = trace(5, 0) || trace(6, 9);
    printf("-> %d\n", r);
    r = trace(7, 4) || trace(8, 0);
    printf("-> %d\n", r);
    r = trace(9, 1) ? trace(10, 20) : trace(11, 30);
    printf("-> %d\n", r);
    r = (trace(12, 1), trace(13, 2), trace(14, 3));
    printf("-> %d\n", r);
    r = trace(15, 0) ?: trace(16, 5);
    printf("-> %d\n", r);
    r = trace(17, 6) ?: trace(18, 5);
    printf("-> %d\n", r);
    r = !trace(19, 0) && (trace(20, 0) || trace(21, 1)) && !trace(22, 0);
    printf("-> %d\n", r);
    int i = 0;
    int unused = 0 && i++;
    unused = 1 || i++;
    printf("%d %d\n", i, unused);
    printf("%zu %d\n", sizeof(i++), i);
    return 0;
}
