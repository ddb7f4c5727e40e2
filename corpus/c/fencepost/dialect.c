/* The dialect of CheckFence: fences, cas, dcas, atomic blocks and locks. */
#include "checkfence.h"
#include <stdio.h>

struct node {
    struct node *next;
    int value;
};

static lock_t mutex;

int main(void) {
    struct node a = { 0, 1 }, b = { &a, 2 }, *top = &b;
    int number = 5;
    fence("load-load");
    fence("load-store");
    fence("store-load");
    fence("store-store");
    fence("load-load | store-store");
    printf("%d ", cas(&number, 4, 6));
    printf("%d\n", number);
    printf("%d ", cas(&number, 5, 6));
    printf("%d\n", number);
    printf("%d ", cas(&top, &b, b.next));
    printf("%d\n", top->value);
    printf("%d ", dcas(&number, &top, 6, &b, 7, &b));
    printf("%d %d\n", number, top->value);
    printf("%d ", dcas(&number, &top, 6, &a, 7, &b));
    printf("%d %d\n", number, top->value);
    lock(&mutex);
    atomic {
        number += 10;
        top = top->next;
    }
    unlock(&mutex);
    printf("%d %d\n", number, top->value);
    return 0;
}
