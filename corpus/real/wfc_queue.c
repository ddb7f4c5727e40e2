// A library of two files and a test, with the flags of a compilation database: producers exchange the
// tail and link their nodes afterwards, the consumer waits for the link (the style of liburcu).
//$ verify FILE wfcq/wfcq.c --link -p wfcq --model sc --model tso --model armv8 --model power --model rc11 --model lkmm --property assert --property memory --property deadlock
//$ verify FILE wfcq/wfcq.c --link -p wfcq -DCONFIG_WEAK --model armv8 --property assert
//$ verify FILE wfcq/wfcq.c --link -Iwfcq --model sc
#include "wfcq.h"
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct item {
    int value;
    struct wfcq_node node;
};

static struct wfcq_head head;
static struct wfcq_tail tail;
static struct item items[2];

static void *enqueues(void *number) {
    struct item *item = &items[(int *)number != NULL];
    item->value = 7;
    wfcq_node_init(&item->node);
    wfcq_enqueue(&head, &tail, &item->node);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    int number = 0;
    wfcq_init(&head, &tail);
    pthread_create(&one, NULL, enqueues, NULL);
    pthread_create(&other, NULL, enqueues, &number);
    struct wfcq_node *node = wfcq_dequeue_blocking(&head, &tail);
    if (node) assert(caa_container_of(node, struct item, node)->value == 7);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
