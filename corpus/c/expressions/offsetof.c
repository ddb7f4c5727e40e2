/* offsetof in all its forms, and as a constant. */
#include <stddef.h>
#include <stdio.h>

struct inner { char c; int v[4]; };
struct outer {
    short s;
    struct inner in[3];
    union { char raw[6]; long word; } u;
    struct { int deep; };
};

enum { AT = offsetof(struct outer, in[1].v[2]) };
static char map[offsetof(struct outer, u)];

int main(void) {
    printf("%zu %zu\n", offsetof(struct outer, in), offsetof(struct outer, in[2]));
    printf("%d %zu\n", AT, sizeof map);
    printf("%zu %zu\n", offsetof(struct outer, u.word), offsetof(struct outer, u.raw[3]));
    printf("%zu\n", offsetof(struct outer, deep));
    int i = 2;
    printf("%zu\n", __builtin_offsetof(struct outer, in[i].v[1]));
    printf("%lu\n", (unsigned long)&((struct outer *)0)->in[1].c);
    struct outer o;
    printf("%d\n", (char *)&o.in[1].v[2] - (char *)&o == AT);
    return 0;
}
