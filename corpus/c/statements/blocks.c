/* Blocks, scopes, labels with attributes, null statements, declarations after statements. */
#include <stdio.h>

int x = 1;

int main(void) {
    printf("%d\n", x);
    int x = 2;
    printf("%d\n", x);
    {
        int y = x;
        int x = 3;
        {
            ;
            ;
            int z = x + y;
            printf("%d\n", z);
        }
        { }
        x = 4;
    }
    printf("%d\n", x);
    for (int i = 0; i < 2; i++) {
        int counted = 0;
        counted++;
        printf("%d ", counted);
    }
    printf("\n");
    if (x) { int only = 5; printf("%d\n", only); }
    enum { INNER = 6 };
    struct s { int v; } s = { INNER };
    {
        struct s { char c[2]; } t;
        enum { INNER = 7 };
        printf("%zu %d\n", sizeof t, INNER);
    }
    printf("%d %d\n", s.v, INNER);
    {
        extern int x;
        printf("%d\n", x);
    }
    typedef int word;
    { word word = 8; printf("%d\n", word); }
    return 0;
}
