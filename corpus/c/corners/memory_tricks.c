/* Bytes of pointers copied one by one, pointers in unions, xor lists, realloc of structures. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { int value; uintptr_t link; };

int main(void) {
    int x = 42, y = 43;
    int *p = &x, *q = NULL;
    for (unsigned i = 0; i < sizeof p; i++) ((unsigned char *)&q)[i] = ((unsigned char *)&p)[i];
    printf("%d\n", *q);
    union { int *p; uintptr_t n; unsigned char b[8]; } u = { &x };
    u.n += sizeof(int) - sizeof(int);
    printf("%d\n", *u.p);
    struct { int *list[2]; } s = { { &x, &y } }, t;
    memcpy(&t, &s, sizeof t);
    memmove(&t.list[0], &t.list[1], sizeof t.list[0]);
    printf("%d\n", *t.list[0]);
    struct node nodes[3] = { { 1 }, { 2 }, { 3 } };
    for (int i = 0; i < 3; i++) {
        uintptr_t before = i > 0 ? (uintptr_t)&nodes[i - 1] : 0, after = i < 2 ? (uintptr_t)&nodes[i + 1] : 0;
        nodes[i].link = before ^ after;
    }
    uintptr_t previous = 0;
    for (struct node *n = &nodes[0]; n;) {
        printf("%d ", n->value);
        struct node *next = (struct node *)(n->link ^ previous);
        previous = (uintptr_t)n;
        n = next;
    }
    printf("\n");
    int **grown = malloc(2 * sizeof *grown);
    grown[0] = &x;
    grown[1] = &y;
    grown = realloc(grown, 4 * sizeof *grown);
    grown[2] = grown[0];
    printf("%d\n", *grown[1] + *grown[2]);
    free(grown);
    uint32_t low = (uint32_t)(uintptr_t)&x, high = (uint32_t)((uintptr_t)&x >> 32);
    printf("%d\n", *(int *)((uintptr_t)high << 32 | low));
    return 0;
}
