/* Atomic pointers: arithmetic, exchange, members of structures. */
#include <stdatomic.h>
#include <stdio.h>

struct node { int value; _Atomic(struct node *) next; };

static void push(_Atomic(struct node *) *top, struct node *n) {
    struct node *old = atomic_load(top);
    do atomic_store(&n->next, old);
    while (!atomic_compare_exchange_weak(top, &old, n));
}

static struct node *pop(_Atomic(struct node *) *top) {
    struct node *old = atomic_load(top);
    while (old && !atomic_compare_exchange_weak(top, &old, atomic_load(&old->next))) {}
    return old;
}

int main(void) {
    long array[5] = { 10, 20, 30, 40, 50 };
    long *_Atomic p = array;
    p += 2;
    printf("%ld\n", *atomic_load(&p));
    printf("%ld ", *p--);
    printf("%ld\n", *p);
    long *old = atomic_exchange(&p, &array[4]);
    printf("%ld %ld\n", *old, *p);
    struct node nodes[3] = { { 1 }, { 2 }, { 3 } };
    _Atomic(struct node *) top = 0;
    for (int i = 0; i < 3; i++) push(&top, &nodes[i]);
    for (struct node *n; (n = pop(&top));) printf("%d ", n->value);
    printf("%d\n", top == 0);
    atomic_uintptr_t word = (unsigned long)&array[1];
    atomic_fetch_or(&word, 1);
    printf("%ld %lu\n", *(long *)(atomic_load(&word) & ~1ul), atomic_load(&word) & 1);
    return 0;
}
