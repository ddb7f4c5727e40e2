// Allocation, calls and pointers: sorted lists that are built, reversed and freed.
#include <stdlib.h>

struct node {
    int key;
    struct node *next;
};

static struct node *insert(struct node *list, int key) {
    struct node **place = &list;
    while (*place && (*place)->key < key)
        place = &(*place)->next;
    struct node *fresh = malloc(sizeof *fresh);
    fresh->key = key;
    fresh->next = *place;
    *place = fresh;
    return list;
}

static struct node *reverse(struct node *list) {
    struct node *result = 0;
    while (list) {
        struct node *next = list->next;
        list->next = result;
        result = list;
        list = next;
    }
    return result;
}

int main(void) {
    unsigned state = 1;
    int sum = 0;
    for (int round = 0; round < 200; round++) {
        struct node *list = 0;
        for (int i = 0; i < 50; i++) {
            state = state * 1664525u + 1013904223u;
            list = insert(list, state >> 16 & 0xff);
        }
        list = reverse(list);
        for (struct node *n = list; n->next; n = n->next)
            sum += n->key < n->next->key;
        while (list) {
            struct node *next = list->next;
            free(list);
            list = next;
        }
    }
    return sum;
}
