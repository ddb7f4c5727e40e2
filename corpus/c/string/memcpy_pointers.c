/* Pointers and function pointers that were copied as bytes still work. */
#include <stdio.h>
#include <string.h>

struct entry {
    char tag;
    int *where;
    int (*function)(int);
    short last;
};

static int twice(int value) {
    return 2 * value;
}

int main(void) {
    int number = 21;
    struct entry first = { 'x', &number, twice, 9 }, second;
    memcpy(&second, &first, sizeof first);
    printf("%c %d %d %d\n", second.tag, *second.where, second.function(4), second.last);
    *second.where = 5;
    printf("%d\n", number);
    struct entry many[3];
    for (int i = 0; i < 3; i++) memcpy(&many[i], &second, sizeof second);
    memmove(&many[0], &many[1], 2 * sizeof many[0]);
    printf("%d %d\n", many[1].function(*many[1].where), many[0].where == &number);
    char packed[1 + sizeof(int *)];
    int *back, *here = &number;
    memcpy(packed + 1, &here, sizeof here);
    memcpy(&back, packed + 1, sizeof back);
    printf("%d\n", *back);
    return 0;
}
