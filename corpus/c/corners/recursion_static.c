/* Static locals shared by all levels of a recursion, automatic ones not. */
#include <stdio.h>

struct frame { int depth; struct frame *up; };

static int walk(int depth, struct frame *up) {
    static int visits, deepest;
    struct frame here = { depth, up };
    int local = depth * depth, array[3] = { depth, local };
    visits++;
    if (depth > deepest) deepest = depth;
    if (depth < 4) {
        walk(depth + 1, &here);
        if (depth % 2) walk(depth + 2, &here);
    }
    int chain = 0;
    for (struct frame *f = &here; f; f = f->up) chain = chain * 10 + f->depth;
    printf("%d:%d:%d:%d ", chain, local, array[1], array[2]);
    return visits * 100 + deepest;
}

static int *counter(int step) {
    static int count[2] = { 100 };
    count[0] += step;
    return step > 0 ? counter(-1) : count;
}

int main(void) {
    printf("\n%d\n", walk(0, 0));
    printf("%d\n", counter(5)[0]);
    printf("%d %d\n", counter(1)[0], counter(1)[1]);
    return 0;
}
