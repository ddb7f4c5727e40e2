// A node is replaced, and the old one freed at once.
//@ lkmm: memory fails, race fails: a section may still use the old node
#include <assert.h>
#include <lkmm.h>
#include <stdlib.h>

struct node {
    int value;
};
static struct node *shared;

static void *reader(void *unused) {
    rcu_read_lock();
    int value = rcu_dereference(shared)->value;
    assert(value == 1 || value == 2);
    rcu_read_unlock();
    return unused;
}

static void *updater(void *unused) {
    struct node *old = shared, *node = malloc(sizeof *node);
    node->value = 2;
    rcu_assign_pointer(shared, node);
    free(old);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    shared = malloc(sizeof *shared);
    shared->value = 1;
    pthread_create(&t1, 0, reader, 0);
    pthread_create(&t2, 0, updater, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    free(shared);
    return 0;
}
