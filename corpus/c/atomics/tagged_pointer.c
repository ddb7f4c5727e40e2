/* A mark in the lowest bit of an atomic pointer, set and taken off again. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

int main(void) {
    struct node second = { 2, NULL }, first = { 1, &second };
    struct node *plain = atomic_load(&first.next);
    struct node *marked = (struct node *)((uintptr_t)plain | 1);
    printf("%d\n", atomic_compare_exchange_strong(&first.next, &plain, marked));
    struct node *seen = atomic_load(&first.next);
    printf("%d %d\n", (int)((uintptr_t)seen & 1), seen == &second);
    seen = (struct node *)((uintptr_t)seen & ~(uintptr_t)1);
    printf("%d %d\n", seen == &second, seen->value);
    _Atomic(uintptr_t) word = (uintptr_t)&first;
    atomic_fetch_or(&word, 3);
    printf("%d\n", ((struct node *)(atomic_load(&word) & ~(uintptr_t)3))->value);
    return 0;
}
