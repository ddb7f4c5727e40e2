// Writes a member that the allocated block is too small for.
#include <stdlib.h>

struct node { long key; struct node *next; };

int main(void) {
    struct node *n = malloc(sizeof n);
    n->key = 1;
    n->next = 0;
    return 0;
}
