/* Everything that can stand on the left of an assignment. */
#include <stdio.h>

struct s {
    int a[3];
    struct { char c; struct s *p; } in;
    unsigned bit : 4;
};

static struct s global;
static struct s *get(void) { return &global; }
static int storage[4];
static int *at(int i) { return &storage[i]; }

int main(void) {
    int x;
    x = 1;
    (x) = 2;
    *&x += 3;
    int a[4] = { 0 };
    a[x - 4] = 6;
    2[a] = 7;
    *(a + 3) = 8;
    printf("%d %d %d %d\n", x, a[1], a[2], a[3]);
    get()->a[1] = 5;
    (*get()).in.c = 'c';
    get()->in.p = get();
    get()->in.p->in.p->a[2] = 9;
    global.bit = 21;
    printf("%d %c %d %d\n", global.a[1], global.in.c, global.a[2], global.bit);
    *at(0) = *at(1) = 4;
    *at(2) += *at(0) * 3;
    at(3)[-1]++;
    printf("%d %d %d\n", storage[0], storage[1], storage[2]);
    struct s local = global, list[2];
    list[1] = local;
    list[1].a[0] = -1;
    (&list[1])->a[0]--;
    printf("%d %d\n", list[1].a[0], local.a[0]);
    char *bytes = (char *)&x;
    bytes[0] = 1;
    ((unsigned char *)&x)[1] = 1;
    printf("%d\n", x);
    int *p = a;
    *p++ = 50;
    *++p = 60;
    printf("%d %d\n", a[0], a[2]);
    int m[2][2];
    m[0][0] = m[1][1] = 3;
    (*m)[1] = *m[1] = 4;
    printf("%d\n", m[0][0] * 1000 + m[0][1] * 100 + m[1][0] * 10 + m[1][1]);
    return 0;
}
