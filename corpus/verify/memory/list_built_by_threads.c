// Two threads link a node each into a list under a mutex; main walks the list and frees it.
//@ all: holds: the mutex makes both links, and nothing is lost
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct node *list;

static void *worker(void *argument) {
    struct node *node = malloc(sizeof *node);
    node->value = (int)(intptr_t)argument;
    pthread_mutex_lock(&mutex);
    node->next = list;
    list = node;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    int sum = 0;
    while (list != NULL) {
        struct node *node = list;
        list = node->next;
        sum += node->value;
        free(node);
    }
    assert(sum == 3);
    return 0;
}
