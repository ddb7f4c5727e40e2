// A thread looks at the node at the head of a list while another one takes it out and frees it;
// then it makes a node of its own.
//@ all: memory fails, race open: the node may be freed between the read of the head and that of its value
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) head;
static int seen;

static void *take(void *unused) {
    free(atomic_exchange(&head, NULL));
    return unused;
}

static void *look(void *unused) {
    int *node = head;
    if (node)
        seen = *node;
    int *own = malloc(sizeof(int));
    *own = seen;
    free(own);
    return unused;
}

int main(void) {
    int *node = malloc(sizeof(int));
    *node = 1;
    head = node;
    pthread_t taker, looker;
    pthread_create(&taker, NULL, take, NULL);
    pthread_create(&looker, NULL, look, NULL);
    pthread_join(taker, NULL);
    pthread_join(looker, NULL);
    return 0;
}
