// A queue whose enqueue is one exchange, after which the link is written; a dequeue that finds the
// exchange but not the link waits for it (the style of liburcu's wfcqueue), in the words of the kernel.
//$ check FILE --test '( e | d )' --test '( e | e d )' --model sc --model tso --model armv8 --model power --model rc11 --model lkmm
//$ check FILE --test '( e | d )' --model lkmm --model armv8 -DWEAK
#include <fencepost.h>
#include <lkmm.h>
#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

static struct node dummy, nodes[2];
static struct node *head, *tail;
static atomic_t used;

#ifdef WEAK
#define LINK(place, node) WRITE_ONCE(place, node)
#define SWAP xchg_relaxed
#else
#define LINK(place, node) smp_store_release(&(place), node)
#define SWAP xchg
#endif

static inline void append(struct node *node) {
    struct node *before = SWAP(&tail, node);
    LINK(before->next, node);
}

static inline struct node *first(struct node *at) {
    struct node *next = smp_load_acquire(&at->next);
    if (next == NULL) {
        if (READ_ONCE(tail) == at) return NULL;
        while ((next = smp_load_acquire(&at->next)) == NULL)
            cpu_relax();
    }
    return next;
}

void init(void) {
    head = tail = &dummy;
}

void e(void) {
    int number = atomic_fetch_inc(&used);
    nodes[number].value = 3;
    append(&nodes[number]);
}

/* One consumer at a time. */
void d(void) {
    struct node *node = first(head);
    if (node != NULL) head = node;
    fp_observe("value", node == NULL ? -1 : node->value);
}
