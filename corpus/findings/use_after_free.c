// One thread frees a node that the other still reads.
// fencepost run: --schedules 100
#include <pthread.h>
#include <stdlib.h>

struct node { int value; struct node *next; };
static struct node *head;

static void *pop(void *unused) {
    struct node *first = head;
    head = first->next;
    free(first);
    return unused;
}

int main(void) {
    head = malloc(sizeof *head);
    head->value = 1;
    head->next = 0;
    struct node *mine = head;
    pthread_t other;
    pthread_create(&other, 0, pop, 0);
    int value = mine->value;
    pthread_join(other, 0);
    return value - 1;
}
