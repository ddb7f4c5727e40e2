// The same as count_before_wider_elements, with a count of one too many.
//@ all: memory fails: the third element of two would be the key of the next struct

#include <assert.h>
#include <pthread.h>

struct node { int key, count; long values[2]; };

static struct node nodes[2] = { { 1, 3, { 0, 0 } }, { 7, 2, { 0, 0 } } };

static void *fill(void *argument)
{
    struct node *node = argument;
    for (int i = 0; i < node->count; i++)
        node->values[i] = i + 1;
    return 0;
}

static void *look(void *argument)
{
    struct node *node = argument;
    assert(node->key == 7);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, fill, &nodes[0]);
    pthread_create(&b, 0, look, &nodes[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(nodes[0].values[1] == 2 && nodes[1].key == 7);
    return 0;
}
