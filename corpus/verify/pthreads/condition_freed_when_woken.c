// An element of a list is freed right after those who wait for it were woken: the example of POSIX.
//@ all: holds: a condition variable may be destroyed as soon as nobody is blocked on it
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct element {
    pthread_cond_t not_busy;
    int busy;
};

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct element *list;

static void *find(void *argument) {
    pthread_mutex_lock(&list_lock);
    struct element *element = list;
    if (element && element->busy) {
        pthread_cond_wait(&element->not_busy, &list_lock);
        assert(!list);
    }
    pthread_mutex_unlock(&list_lock);
    return argument;
}

static void *delete(void *argument) {
    pthread_mutex_lock(&list_lock);
    struct element *element = list;
    element->busy = 1;
    pthread_mutex_unlock(&list_lock);

    pthread_mutex_lock(&list_lock);
    list = NULL;
    pthread_cond_broadcast(&element->not_busy);
    pthread_cond_destroy(&element->not_busy);
    free(element);
    pthread_mutex_unlock(&list_lock);
    return argument;
}

int main(void) {
    pthread_t finder, deleter;
    list = malloc(sizeof(struct element));
    pthread_cond_init(&list->not_busy, NULL);
    list->busy = 0;
    pthread_create(&finder, NULL, find, NULL);
    pthread_create(&deleter, NULL, delete, NULL);
    pthread_join(finder, NULL);
    pthread_join(deleter, NULL);
    return 0;
}
