/* GNU statement expressions: values, scopes, nesting, control flow out of them. */
#include <stdio.h>

#define MIN(a, b) ({ typeof(a) x_ = (a); typeof(b) y_ = (b); x_ < y_ ? x_ : y_; })
#define CLAMP(v, lo, hi) MIN(({ typeof(v) w = (v); w < (lo) ? (lo) : w; }), hi)

struct pair { int a, b; };

static int find(const int *a, int n, int key) {
    for (int i = 0; i < n; i++)
        (void)({ if (a[i] == key) return i; 0; });
    return -1;
}

int main(void) {
    int x = ({ int t = 3; t * t; });
    printf("%d\n", x);
    printf("%d %d %d\n", CLAMP(5, 1, 9), CLAMP(-5, 1, 9), CLAMP(50, 1, 9));
    int i = 0;
    printf("%d ", MIN(++i, 10));
    printf("%d\n", i);
    struct pair p = ({ struct pair q = { 1, 2 }; q.b += 5; q; });
    printf("%d %d\n", p.a, p.b);
    int total = 0;
    for (int k = 0; ({ k < 3; }); ({ k++; })) total += ({ if (k == 1) continue; k * 10; });
    printf("%d\n", total);
    printf("%d %d\n", find((int[]){ 4, 5, 6 }, 3, 5), find((int[]){ 4 }, 1, 9));
    int shadow = 1;
    int y = ({ int shadow = 2; ({ int shadow = 3; shadow; }) + shadow; }) + shadow;
    printf("%d\n", y);
    ({ printf("void\n"); });
    printf("%d\n", ({ int s = 0; for (int j = 1; j <= 4; j++) s += j; s; }) ? 1 : 0);
    const char *name = ({ const char *t; switch (x) { case 9: t = "nine"; break; default: t = "other"; } t; });
    printf("%s\n", name);
    printf("%zu\n", sizeof(({ char c = 1; c; })));
    return ({ 0; });
}
