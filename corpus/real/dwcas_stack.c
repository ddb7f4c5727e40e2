// A stack whose head is a pointer and a counter, swapped together by `cmpxchg16b` (ABA safe).
//$ check FILE --test '( push | pop )' --test '( push pop | pop )' --model sc --model tso --model armv8 --model power --model rc11 --model lkmm --reuse-memory
#include <fencepost.h>
#include <stdint.h>
#include <stdlib.h>

struct node { struct node *next; int value; };
struct head { struct node *top; uintptr_t generation; } __attribute__((aligned(16)));
static struct head stack;

static _Bool swap_both(struct head *target, struct head *compare, struct head set) {
    _Bool done;
    __asm__ volatile("lock; cmpxchg16b %0; setz %3"
                     : "+m"(*target), "+a"(compare->top), "+d"(compare->generation), "=q"(done)
                     : "b"(set.top), "c"(set.generation)
                     : "memory", "cc");
    return done;
}

void init(void) { }

void push(void) {
    struct node *node = malloc(sizeof *node);
    struct head before, after;
    node->value = fp_choose(1, 2);
    fp_observe("push", node->value);
    before.generation = stack.generation;
    before.top = stack.top;
    do {
        node->next = before.top;
        after.top = node;
        after.generation = before.generation + 1;
    } while (!swap_both(&stack, &before, after));
}

void pop(void) {
    struct head before, after;
    before.generation = *(volatile uintptr_t *)&stack.generation;
    before.top = *(struct node *volatile *)&stack.top;
    do {
        if (before.top == NULL) { fp_observe("pop", 0); return; }
        after.top = before.top->next;
        after.generation = before.generation + 1;
    } while (!swap_both(&stack, &before, after));
    fp_observe("pop", before.top->value);
}
