// A FIFO of many producers and consumers whose head and tail are a pointer with a generation, changed
// by double-word compare-and-swaps; each half is also read by itself (the style of Concurrency Kit).
//$ check FILE --test '( put | take )' --model sc --model tso --model armv8 --model power --model rc11 --model lkmm
//$ check FILE --test '( put | take )' --model armv8 -DRELAXED
//$ check FILE --test '( put | take )' --model armv8 -DRELAXED --property atomic
#include <fencepost.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct end {
    struct node *pointer;
    unsigned long generation;
} __attribute__((aligned(16)));

static struct end head, tail;

#ifdef RELAXED
#define PUBLISH __ATOMIC_RELAXED
#else
#define PUBLISH __ATOMIC_RELEASE
#endif

static inline _Bool swing(struct end *end, struct end seen, struct node *to) {
    struct end fresh = {to, seen.generation + 1};
    unsigned __int128 old, new;
    __builtin_memcpy(&old, &seen, 16);
    __builtin_memcpy(&new, &fresh, 16);
    return __atomic_compare_exchange_n((unsigned __int128 *)end, &old, new, 0, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
}

static inline struct end snapshot(struct end *end) {
    struct end seen;
    seen.generation = __atomic_load_n(&end->generation, __ATOMIC_ACQUIRE);
    seen.pointer = __atomic_load_n(&end->pointer, __ATOMIC_ACQUIRE);
    return seen;
}

void init(void) {
    struct node *stub = malloc(sizeof *stub);
    stub->next = NULL;
    head.pointer = tail.pointer = stub;
}

void put(void) {
    struct node *node = malloc(sizeof *node);
    node->value = 5;
    node->next = NULL;
    for (;;) {
        struct end last = snapshot(&tail);
        struct node *next = __atomic_load_n(&last.pointer->next, __ATOMIC_ACQUIRE);
        if (next != NULL) {
            swing(&tail, last, next);
        } else if (__atomic_compare_exchange_n(&last.pointer->next, &next, node, 0, PUBLISH,
                                               __ATOMIC_RELAXED)) {
            swing(&tail, last, node);
            return;
        }
    }
}

void take(void) {
    for (;;) {
        struct end first = snapshot(&head);
        struct end last = snapshot(&tail);
        struct node *next = __atomic_load_n(&first.pointer->next, __ATOMIC_ACQUIRE);
        if (first.pointer == last.pointer) {
            if (next == NULL) {
                fp_observe("taken", -1);
                return;
            }
            swing(&tail, last, next);
        } else if (next != NULL) {
            int value = next->value;
            if (swing(&head, first, next)) {
                fp_observe("taken", value);
                return;
            }
        }
    }
}
