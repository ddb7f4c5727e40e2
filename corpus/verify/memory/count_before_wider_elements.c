// An array of structs, each with a count and an array of wider elements at its end, as the towers
// of a skip list: one thread fills the array of the first, one looks at the second.
//@ all: holds: the count is the number of elements, so what stands behind is not written

#include <assert.h>
#include <pthread.h>

struct node { int key, count; long values[2]; };

static struct node nodes[2] = { { 1, 2, { 0, 0 } }, { 7, 2, { 0, 0 } } };

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
