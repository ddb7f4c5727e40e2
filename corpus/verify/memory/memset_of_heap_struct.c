// A thread clears a struct on the heap with memset, fills a member and publishes it under a lock.
//@ all: holds: what is cleared and filled happens before the lock is given back
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct node {
    int key, value;
    short flags;
    struct node *next;
};

static struct node *shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *make(void *argument) {
    struct node *node = malloc(sizeof *node);
    memset(node, 0, sizeof *node);
    node->value = 1;
    pthread_mutex_lock(&mutex);
    shared = node;
    pthread_mutex_unlock(&mutex);
    return argument;
}

static void *look(void *argument) {
    pthread_mutex_lock(&mutex);
    if (shared) assert(shared->key == 0 && shared->value == 1 && !shared->flags && !shared->next);
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, make, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(shared);
    return 0;
}
