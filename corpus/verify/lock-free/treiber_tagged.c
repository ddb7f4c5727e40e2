// The same with a count beside the top, which every change raises.
//@ sc tso armv8 rc11: holds: a compare-and-swap that was overtaken sees another count
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NONE, A, B };

#define PAIR(node, count) ((unsigned)(count) << 8 | (unsigned)(node))
#define NODE(pair) ((int)((pair) & 0xff))
#define COUNT(pair) ((pair) >> 8)

static atomic_uint top = PAIR(A, 0);
static atomic_int next[3] = { NONE, B, NONE };
static atomic_int popped[3];

static int pop(void) {
    unsigned old = atomic_load(&top);
    while (NODE(old) != NONE
           && !atomic_compare_exchange_strong(
               &top, &old, PAIR(atomic_load(&next[NODE(old)]), COUNT(old) + 1)))
        ;
    return NODE(old);
}

static void push(int node) {
    unsigned old = atomic_load(&top);
    do {
        atomic_store(&next[node], NODE(old));
    } while (!atomic_compare_exchange_strong(&top, &old, PAIR(node, COUNT(old) + 1)));
}

static void *patient(void *unused) {
    int node = pop();
    if (node != NONE)
        atomic_fetch_add(&popped[node], 1);
    return unused;
}

static void *quick(void *unused) {
    int first = pop();
    int second = pop();
    if (second != NONE)
        atomic_fetch_add(&popped[second], 1);
    if (first != NONE)
        push(first);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, patient, NULL);
    pthread_create(&b, NULL, quick, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int left = NODE(atomic_load(&top));
    assert(!(left == B && popped[B] > 0));
    return 0;
}
