// Where `n` is &q.dummy, the item around it is not read.
//$ check FILE --test '( e | d )' --model sc --model tso --model armv8 --model power --model rc11
#include <fencepost.h>
#include <stddef.h>
struct node { struct node *next; };
static struct { struct node *volatile head; struct node *volatile tail; struct node dummy; } q;
static struct item { int value; struct node node; } item;
void init(void) { q.head = &q.dummy; q.tail = &q.dummy; }
void e(void) { item.value = 1; __atomic_store_n(&q.tail, &item.node, __ATOMIC_RELEASE); __atomic_store_n(&q.head, &item.node, __ATOMIC_RELEASE); }
static struct node *take(void) {
    struct node *n = __atomic_load_n(&q.head, __ATOMIC_ACQUIRE);
    return n == &q.dummy ? NULL : n;
}
void d(void) {
    struct node *n = take();
    fp_observe("taken", n ? ((struct item *)((char *)n - offsetof(struct item, node)))->value : -1);
}
