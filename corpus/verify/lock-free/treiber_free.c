// Two threads pop from Treiber's stack and free what they popped at once.
//@ all: memory fails, leak open, race open, assert open: one may look at the next of a node that the other has freed
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
};

static struct node *_Atomic top;

static void *popper(void *unused) {
    struct node *old = atomic_load(&top);
    while (old != NULL && !atomic_compare_exchange_strong(&top, &old, old->next))
        ;
    free(old);
    return unused;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = top;
        top = node;
    }
    pthread_t a, b;
    pthread_create(&a, NULL, popper, NULL);
    pthread_create(&b, NULL, popper, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
