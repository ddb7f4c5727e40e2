/* A linked list with a pointer to the link: insertion, removal, reversal. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *next;
};

static void insert(struct node **list, int key) {
    while (*list && (*list)->key < key) list = &(*list)->next;
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->next = *list;
    *list = n;
}

static int delete(struct node **list, int key) {
    for (; *list; list = &(*list)->next)
        if ((*list)->key == key) {
            struct node *dead = *list;
            *list = dead->next;
            free(dead);
            return 1;
        }
    return 0;
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

static void print(const struct node *list) {
    for (; list; list = list->next) printf("%d ", list->key);
    printf("\n");
}

int main(void) {
    struct node *list = 0;
    int keys[] = { 5, 1, 9, 3, 7, 3 };
    for (int i = 0; i < 6; i++) insert(&list, keys[i]);
    print(list);
    printf("%d %d\n", delete(&list, 3), delete(&list, 4));
    print(list);
    list = reverse(list);
    print(list);
    while (list) delete(&list, list->key);
    print(list);
    return 0;
}
