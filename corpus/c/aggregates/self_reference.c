/* Structures that refer to themselves and to each other, before they are complete. */
#include <stdio.h>

struct owner;

struct item {
    struct owner *owner;
    struct item *next;
    int weight;
};

struct owner {
    struct item *first;
    struct owner *self;
    const char *name;
};

typedef struct tree tree;
struct tree {
    tree *child[2];
    int value;
};

static int total(const struct owner *o) {
    int sum = 0;
    for (const struct item *i = o->first; i; i = i->next) sum += i->weight;
    return sum;
}

static int depth(const tree *t) {
    if (!t) return 0;
    int l = depth(t->child[0]), r = depth(t->child[1]);
    return 1 + (l > r ? l : r);
}

static int visit(const tree *t) {
    return t ? visit(t->child[0]) * 2 + t->value + visit(t->child[1]) * 3 : 0;
}

int main(void) {
    struct owner o = { .name = "owner" };
    struct item a = { &o, 0, 3 }, b = { &o, &a, 4 };
    o.first = &b;
    o.self = &o;
    printf("%d %s\n", total(o.self->self), o.first->next->owner->name);
    tree leaf = { { 0, 0 }, 1 }, other = { .value = 2 };
    tree middle = { { &leaf, &other }, 3 }, root = { { &middle, 0 }, 4 };
    printf("%d %d\n", depth(&root), visit(&root));
    struct { struct local *p; } outer;
    struct local { int v; } l = { 6 };
    outer.p = (void *)&l;
    printf("%d\n", ((struct local *)outer.p)->v);
    return 0;
}
