// A node with a lock in it is made, published, used and freed.
//@ sc tso armv8 power riscv lkmm: holds: the lock is initialised before the node can be found, and nobody has it when it is freed
#include <assert.h>
#include <lkmm.h>
#include <stdlib.h>

struct node {
    spinlock_t lock;
    int value;
};
static struct node *shared;

static void *maker(void *unused) {
    struct node *node = malloc(sizeof *node);
    spin_lock_init(&node->lock);
    node->value = 1;
    smp_store_release(&shared, node);
    return unused;
}

static void *user(void *unused) {
    struct node *node = smp_load_acquire(&shared);
    if (node) {
        spin_lock(&node->lock);
        assert(node->value++ == 1);
        spin_unlock(&node->lock);
    }
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, maker, 0);
    pthread_create(&t2, 0, user, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    free(shared);
    return 0;
}
