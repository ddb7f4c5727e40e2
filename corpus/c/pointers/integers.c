/* Pointers kept in integers, and tags in their low bits. */
#include <stdint.h>
#include <stdio.h>

struct node {
    long value;
    struct node *next;
};

static uintptr_t tag(struct node *p, unsigned bits) { return (uintptr_t)p | bits; }
static struct node *untag(uintptr_t word) { return (struct node *)(word & ~(uintptr_t)7); }
static unsigned bits(uintptr_t word) { return word & 7; }

int main(void) {
    struct node a = { 1, 0 }, b = { 2, &a };
    uintptr_t word = tag(&b, 5);
    printf("%u %ld\n", bits(word), untag(word)->value);
    untag(word)->value = 20;
    printf("%ld %ld\n", b.value, untag(word)->next->value);
    word = tag(untag(word)->next, 1);
    printf("%u %d\n", bits(word), untag(word) == &a);
    intptr_t number = (intptr_t)&a.value;
    *(long *)number = 11;
    printf("%ld\n", a.value);
    long array[4] = { 3, 1, 4, 1 };
    uintptr_t base = (uintptr_t)array;
    printf("%ld %ld\n", *(long *)(base + 2 * sizeof(long)), ((long *)base)[3]);
    printf("%lu\n", (uintptr_t)&array[3] - base);
    printf("%d %d\n", (uintptr_t)(void *)0 == 0, base % _Alignof(long) == 0);
    unsigned long masked = base ^ 0xff00;
    printf("%ld\n", *(long *)(masked ^ 0xff00));
    return 0;
}
