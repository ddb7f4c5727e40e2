// A node is replaced after a grace period, and read outside of any section.
//@ lkmm: memory fails, race fails: the grace period waits for nobody
#include <assert.h>
#include <lkmm.h>
#include <stdlib.h>

struct node {
    int value;
};
static struct node *shared;

static void *reader(void *unused) {
    int value = rcu_dereference(shared)->value;
    assert(value == 1 || value == 2);
    return unused;
}

static void *updater(void *unused) {
    struct node *old = shared, *node = malloc(sizeof *node);
    node->value = 2;
    rcu_assign_pointer(shared, node);
    synchronize_rcu();
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
