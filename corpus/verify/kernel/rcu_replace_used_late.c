// The old node is used behind the end of the section.
//@ lkmm: memory fails, race fails: the grace period may have ended then
#include <assert.h>
#include <lkmm.h>
#include <stdlib.h>

struct node {
    int value;
};
static struct node *shared;

static void *reader(void *unused) {
    rcu_read_lock();
    struct node *node = rcu_dereference(shared);
    rcu_read_unlock();
    assert(node->value > 0);
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
