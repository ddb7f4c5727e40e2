/* Comments /* do not nest, and splices join lines // anywhere. */
#include <stdio.h>

#define LONG_MACRO(a, \
                   b) \
    ((a) /* inside */ + \
     (b)) // behind

// a line comment \
   that goes on
int main(void) {
    /**/ printf("%d\n", LONG_MACRO(1, 2)); /***/
    int a = 10, b = 2, *p = &b;
    printf("%d\n", a / *p);
    printf("%d\n", a //* not a division */ 5
        + 1);
    printf("%s\n", "/* not a comment */ // nor this");
    pri\
ntf("%d\n", 12\
34);
    printf("one \
line\n");
    printf("%c%c\n", '/', '*');
    int x = 4;/**/int y = 5;
    printf("%d\n", x/**/-/**/-/**/y);
    /\
* a spliced comment *\
/ printf("end\n");
    return 0;
}
