// Uses an uninitialised member as a pointer.
#include <stdlib.h>

struct node { int value; struct node *next; };

int main(void) {
    struct node *n = malloc(sizeof *n);
    n->value = 1;
    return n->next->value;
}
