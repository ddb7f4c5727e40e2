/* sizeof and _Alignof of types and expressions; nothing is evaluated. */
#include <stdio.h>

struct s { char a; long b; };

int main(void) {
    int n = 5;
    int array[7];
    int *p = array;
    char text[] = "text";
    struct s s, *q = &s;
    printf("%zu %zu %zu\n", sizeof array, sizeof p, sizeof *p);
    printf("%zu %zu\n", sizeof array / sizeof array[0], sizeof(array + 0));
    printf("%zu %zu %zu\n", sizeof text, sizeof "longer text", sizeof 'c');
    printf("%zu %zu %zu\n", sizeof(struct s), sizeof s.b, sizeof q->a);
    printf("%zu %d\n", sizeof(n++), n);
    printf("%zu %zu\n", sizeof(char) + 1, sizeof(int) * 2);
    printf("%zu\n", sizeof(int){ 3 });
    printf("%zu %zu\n", sizeof(n = 3, text), sizeof(n ? 1 : 2l));
    printf("%zu %zu\n", sizeof(void), sizeof main);
    printf("%zu %zu %zu\n", _Alignof(char), _Alignof(struct s), _Alignof(int[4]));
    printf("%zu %zu\n", __alignof__(n), __alignof__(struct s));
    printf("%zu\n", sizeof(char[3][5]));
    printf("%zu\n", sizeof(*(struct s *)0).b);
    printf("%zu\n", sizeof(-(char)1));
    printf("%d\n", n);
    return 0;
}
