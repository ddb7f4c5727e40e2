/* Intrusive structures through offsetof. */
#include <stddef.h>
#include <stdio.h>

#define container_of(pointer, type, member) \
    ({ const typeof(((type *)0)->member) *inner = (pointer); \
       (type *)((char *)inner - offsetof(type, member)); })

struct link {
    struct link *next, *prev;
};

struct task {
    int id;
    struct link run;
    char name[8];
    struct link wait;
};

static void init(struct link *head) { head->next = head->prev = head; }

static void append(struct link *head, struct link *item) {
    item->prev = head->prev;
    item->next = head;
    head->prev->next = item;
    head->prev = item;
}

static void unlink(struct link *item) {
    item->prev->next = item->next;
    item->next->prev = item->prev;
}

int main(void) {
    struct link runs, waits;
    init(&runs);
    init(&waits);
    struct task tasks[3] = { { 1, .name = "one" }, { 2, .name = "two" }, { 3, .name = "three" } };
    for (int i = 0; i < 3; i++) append(&runs, &tasks[i].run);
    append(&waits, &tasks[2].wait);
    append(&waits, &tasks[0].wait);
    unlink(&tasks[1].run);
    for (struct link *l = runs.next; l != &runs; l = l->next)
        printf("%d %s\n", container_of(l, struct task, run)->id, container_of(l, struct task, run)->name);
    for (struct link *l = waits.next; l != &waits; l = l->next)
        printf("%d\n", container_of(l, struct task, wait)->id);
    printf("%zu %zu\n", offsetof(struct task, run), offsetof(struct task, wait));
    return 0;
}
