/* goto: out of loops, backwards, into blocks, over declarations, cleanup chains. */
#include <stdio.h>

static int search(int m[3][3], int key) {
    int i, j;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++)
            if (m[i][j] == key) goto found;
    return -1;
found:
    return i * 10 + j;
}

static int staged(int fail) {
    int undone = 0;
    if (fail == 1) goto one;
    if (fail == 2) goto two;
    if (fail == 3) goto three;
    return 0;
three:
    undone += 100;
two:
    undone += 10;
one:
    undone += 1;
    return undone;
}

int main(void) {
    int m[3][3] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } };
    printf("%d %d %d\n", search(m, 6), search(m, 1), search(m, 10));
    for (int i = 0; i < 4; i++) printf("%d ", staged(i));
    printf("\n");
    int n = 0;
loop:
    if (n < 5) {
        n++;
        goto loop;
    }
    printf("%d\n", n);
    goto skip;
    {
        int inside;
    skip:
        inside = 3;
        printf("%d\n", inside);
    }
    int k = 0;
    while (1) {
        k++;
        if (k % 2) goto next;
        if (k > 6) goto done;
        printf("%d ", k);
    next:;
    }
done:
    printf("\n");
    if (k) goto end; else goto loop;
end:
    return k;
}
