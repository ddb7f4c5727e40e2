/* GNU: static flexible arrays with initial values, zero-length arrays, empty structs. */
#include <stdio.h>

struct list { int n; int items[]; };
static struct list three = { 3, { 10, 20, 30 } };
static struct { char c; char text[]; } named = { 'n', "flexible" };
struct empty {};
struct zero { int a; int none[0]; int b; };

static struct empty pass(struct empty e) { return e; }

int main(void) {
    int sum = 0;
    for (int i = 0; i < three.n; i++) sum += three.items[i];
    printf("%d %zu\n", sum, sizeof three);
    three.items[1] = 25;
    struct list *p = &three;
    printf("%d %d\n", p->items[1], p->items[2]);
    printf("%s %c %zu\n", named.text, named.c, sizeof named);
    struct empty e = {}, f = e;
    f = pass(e);
    printf("%zu %zu\n", sizeof e, sizeof(struct empty[4]));
    struct zero z = { 1, {}, 2 };
    printf("%d %d %zu\n", z.a, z.b, sizeof z);
    int blank[3] = {};
    struct list l = {};
    printf("%d %d\n", blank[2], l.n);
    return 0;
}
