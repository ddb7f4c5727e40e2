/* Anonymous structures and unions inside others. */
#include <stddef.h>
#include <stdio.h>

struct vector {
    union {
        struct { int x, y, z; };
        int v[3];
    };
    struct {
        char tag;
        union { short s; unsigned char b[2]; };
    };
};

struct node {
    enum { LEAF, PAIR } kind;
    union {
        int leaf;
        struct { struct node *left, *right; };
    };
};

static int sum(const struct node *n) {
    return n->kind == LEAF ? n->leaf : sum(n->left) + sum(n->right);
}

int main(void) {
    struct vector v = { .x = 1, .y = 2, .z = 3, .tag = 't' };
    v.v[1] = 20;
    printf("%d %d %d %c\n", v.x, v.y, v.z, v.tag);
    v.s = 0x0102;
    printf("%d %d\n", v.b[0], v.b[1]);
    printf("%zu %zu %zu\n", sizeof v, offsetof(struct vector, tag), offsetof(struct vector, b));
    struct node a = { LEAF, { 4 } }, b = { LEAF, .leaf = 5 }, c = { PAIR, .left = &a, .right = &b };
    struct node d = { .kind = PAIR, { .left = &c, .right = &a } };
    printf("%d %d\n", sum(&c), sum(&d));
    struct vector w = { { { 7, 8, 9 } }, { 'u', { 5 } } };
    printf("%d %d %d %d\n", w.v[0], w.v[2], w.tag, w.s);
    return 0;
}
