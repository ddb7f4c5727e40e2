/* Structures: members, nesting, copies, parameters, results, arrays. */
#include <stdio.h>

struct point {
    int x, y;
};

struct rect {
    struct point low, high;
    const char *name;
};

static struct point make(int x, int y) {
    struct point p = { x, y };
    return p;
}

static int area(struct rect r) {
    r.low.x = 0 + r.low.x;
    return (r.high.x - r.low.x) * (r.high.y - r.low.y);
}

static void grow(struct rect *r, int by) {
    r->high.x += by;
    r->high.y += by;
}

static struct rect shift(struct rect r, struct point by) {
    r.low.x += by.x;
    r.low.y += by.y;
    r.high.x += by.x;
    r.high.y += by.y;
    return r;
}

int main(void) {
    struct rect a = { { 1, 2 }, { 4, 6 }, "a" };
    struct rect b = a;
    b.name = "b";
    grow(&b, 2);
    printf("%d %d %s %s\n", area(a), area(b), a.name, b.name);
    struct rect c = shift(a, make(10, 20));
    printf("%d %d %d %d\n", c.low.x, c.low.y, c.high.x, c.high.y);
    printf("%d\n", make(3, 4).y);
    printf("%d\n", shift(b, (struct point){ 1, 1 }).low.x);
    struct point points[3] = { { 1, 2 }, { 3 }, make(5, 6) };
    points[1] = points[2];
    points[1].x++;
    printf("%d %d %d\n", points[1].x, points[1].y, points[2].x);
    struct point *p = points;
    *p = (struct point){ .y = 9 };
    printf("%d %d\n", p->x, p->y);
    a = b = c;
    printf("%d %s\n", a.low.x, b.name);
    struct { int n; struct { int m; } inner; } anonymous = { 1, { 2 } };
    printf("%d\n", anonymous.n + anonymous.inner.m);
    struct point chosen = (area(a) > 5) ? points[0] : points[2];
    printf("%d %d\n", chosen.x, chosen.y);
    return 0;
}
