/* Compound literals: lifetime, modification, arrays, nesting, as arguments. */
#include <stdio.h>

struct point { int x, y; };

static int sum(const int *a, int n) {
    int total = 0;
    while (n--) total += *a++;
    return total;
}

static int norm(struct point p) { return p.x * p.x + p.y * p.y; }
static int along(const struct point *p) { return p->x + p->y; }

static int *file_scope = (int[]){ 1, 2, 3 };
static struct point *origin = &(struct point){ 10, 20 };

int main(void) {
    struct point *p = &(struct point){ 3, 4 };
    p->x = 5;
    printf("%d %d\n", p->x, p->y);
    printf("%d %d\n", sum((int[]){ 1, 2, 3, 4 }, 4), sum((const int[5]){ 7 }, 5));
    printf("%d %d\n", norm((struct point){ 3, 4 }), along(&(struct point){ .y = 6 }));
    int *array = (int[3]){ [1] = 8 };
    array[2] = 9;
    printf("%d %d %d\n", array[0], array[1], array[2]);
    printf("%d\n", ++(int){ 41 });
    printf("%d %d\n", file_scope[2], origin->y);
    file_scope[2]++;
    printf("%d\n", file_scope[2]);
    struct { struct point a; int *v; } nested = { (struct point){ 1, 2 }, (int[]){ 3 } };
    printf("%d %d\n", nested.a.y, *nested.v);
    for (int i = 0; i < 3; i++) {
        int *fresh = (int[1]){ i };
        *fresh += 10;
        printf("%d ", *fresh);
    }
    printf("\n");
    struct point q = (struct point){ 7, 8 };
    q = (struct point){ .x = q.y, .y = q.x };
    printf("%d %d\n", q.x, q.y);
    char *text = (char[]){ "literal" };
    text[0] = 'L';
    printf("%s %zu\n", text, sizeof((char[]){ "literal" }));
    printf("%d\n", (union { int i; unsigned char c; }){ 0x1ff }.c);
    return 0;
}
