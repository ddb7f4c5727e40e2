/* Lists and queues of <sys/queue.h>. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/queue.h>

struct item {
    int value;
    SLIST_ENTRY(item) single;
    LIST_ENTRY(item) list;
    STAILQ_ENTRY(item) queue;
    TAILQ_ENTRY(item) both;
};

SLIST_HEAD(singles, item);
LIST_HEAD(lists, item) lists = LIST_HEAD_INITIALIZER(lists);
STAILQ_HEAD(queues, item) queues = STAILQ_HEAD_INITIALIZER(queues);
TAILQ_HEAD(boths, item) boths = TAILQ_HEAD_INITIALIZER(boths);

static struct item items[6];

static void singles(void) {
    struct singles head;
    struct item *at;
    SLIST_INIT(&head);
    printf("%d\n", SLIST_EMPTY(&head));
    for (int i = 0; i < 4; i++) SLIST_INSERT_HEAD(&head, &items[i], single);
    SLIST_INSERT_AFTER(&items[2], &items[4], single);
    SLIST_FOREACH(at, &head, single) printf(" %d", at->value);
    SLIST_REMOVE(&head, &items[0], item, single);
    SLIST_REMOVE_HEAD(&head, single);
    SLIST_FOREACH(at, &head, single) printf(" %d", at->value);
    printf("\n");
}

static void doubly(void) {
    struct item *at;
    for (int i = 0; i < 3; i++) LIST_INSERT_HEAD(&lists, &items[i], list);
    LIST_INSERT_AFTER(&items[0], &items[3], list);
    LIST_INSERT_BEFORE(&items[2], &items[4], list);
    LIST_FOREACH(at, &lists, list) printf(" %d", at->value);
    LIST_REMOVE(&items[1], list);
    LIST_REMOVE(&items[4], list);
    LIST_REMOVE(&items[3], list);
    LIST_FOREACH(at, &lists, list) printf(" %d", at->value);
    printf(" %d\n", LIST_EMPTY(&lists));
}

static void queue(void) {
    struct item *at;
    STAILQ_INSERT_TAIL(&queues, &items[0], queue);
    STAILQ_INSERT_HEAD(&queues, &items[1], queue);
    STAILQ_INSERT_TAIL(&queues, &items[2], queue);
    STAILQ_INSERT_AFTER(&queues, &items[2], &items[3], queue);
    STAILQ_INSERT_TAIL(&queues, &items[4], queue);
    STAILQ_FOREACH(at, &queues, queue) printf(" %d", at->value);
    STAILQ_REMOVE(&queues, &items[4], item, queue);
    STAILQ_REMOVE_HEAD(&queues, queue);
    STAILQ_INSERT_TAIL(&queues, &items[5], queue);
    while ((at = STAILQ_FIRST(&queues))) {
        printf(" %d", at->value);
        STAILQ_REMOVE_HEAD(&queues, queue);
    }
    STAILQ_INSERT_TAIL(&queues, &items[0], queue);
    printf(" %d %d\n", STAILQ_EMPTY(&queues), STAILQ_FIRST(&queues)->value);
}

static void both_ways(void) {
    struct item *at;
    TAILQ_INSERT_TAIL(&boths, &items[0], both);
    TAILQ_INSERT_HEAD(&boths, &items[1], both);
    TAILQ_INSERT_AFTER(&boths, &items[0], &items[2], both);
    TAILQ_INSERT_BEFORE(&items[0], &items[3], both);
    TAILQ_INSERT_TAIL(&boths, &items[4], both);
    TAILQ_FOREACH(at, &boths, both) printf(" %d", at->value);
    TAILQ_FOREACH_REVERSE(at, &boths, boths, both) printf(" %d", at->value);
    TAILQ_REMOVE(&boths, &items[4], both);
    TAILQ_REMOVE(&boths, &items[3], both);
    TAILQ_REMOVE(&boths, &items[1], both);
    printf(" last %d before %d", TAILQ_LAST(&boths, boths)->value,
           TAILQ_PREV(&items[2], boths, both)->value);
    while (!TAILQ_EMPTY(&boths)) {
        at = TAILQ_FIRST(&boths);
        printf(" %d", at->value);
        TAILQ_REMOVE(&boths, at, both);
    }
    printf("\n");
}

int main(void) {
    for (int i = 0; i < 6; i++) items[i].value = i;
    singles();
    doubly();
    queue();
    both_ways();
    return 0;
}
