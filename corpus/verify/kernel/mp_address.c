// A pointer is published by rcu_assign_pointer; the address of the load depends on it.
//@ sc tso pso armv8 power riscv lkmm: holds: the release orders the stores, the dependency the loads
#include <assert.h>
#include <lkmm.h>

struct node {
    int value;
};
static struct node first = { 1 }, second;
static struct node *shared = &first;

static void *writer(void *unused) {
    second.value = 1;
    rcu_assign_pointer(shared, &second);
    return unused;
}

static void *reader(void *unused) {
    struct node *node = rcu_dereference(shared);
    assert(node->value == 1);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, writer, 0);
    pthread_create(&t2, 0, reader, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
