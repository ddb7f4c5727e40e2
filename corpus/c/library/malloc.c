/* malloc, calloc, realloc, aligned_alloc, free. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vector { int *items; size_t count, room; };

static void push(struct vector *v, int item) {
    if (v->count == v->room) {
        v->room = v->room ? v->room * 2 : 1;
        v->items = realloc(v->items, v->room * sizeof *v->items);
    }
    v->items[v->count++] = item;
}

int main(void) {
    int *p = malloc(4 * sizeof *p);
    for (int i = 0; i < 4; i++) p[i] = i * i;
    printf("%d %d\n", p[1], p[3]);
    p = realloc(p, 8 * sizeof *p);
    p[7] = 70;
    printf("%d %d\n", p[3], p[7]);
    p = realloc(p, 2 * sizeof *p);
    printf("%d\n", p[1]);
    free(p);
    char *c = calloc(10, 1);
    int zero = 1;
    for (int i = 0; i < 10; i++) zero &= c[i] == 0;
    printf("%d\n", zero);
    free(c);
    free(NULL);
    void *a = aligned_alloc(64, 128);
    printf("%d\n", (int)((uintptr_t)a % 64));
    free(a);
    struct vector v = { 0 };
    for (int i = 0; i < 20; i++) push(&v, i);
    int sum = 0;
    for (size_t i = 0; i < v.count; i++) sum += v.items[i];
    printf("%zu %zu %d\n", v.count, v.room, sum);
    free(v.items);
    int **rows = malloc(3 * sizeof *rows);
    for (int i = 0; i < 3; i++) {
        rows[i] = calloc(i + 1, sizeof **rows);
        rows[i][i] = i;
    }
    printf("%d %d\n", rows[2][2], rows[2][0]);
    for (int i = 0; i < 3; i++) free(rows[i]);
    free(rows);
    void *m = malloc(24);
    printf("%d\n", (int)((uintptr_t)m % 16));
    free(m);
    return 0;
}
