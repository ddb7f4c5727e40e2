// The count is decremented by a load and a store.
//@ all: leak fails: both may write the same count, and then nobody frees
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static struct object {
    atomic_int references;
} *object;

static void *user(void *unused) {
    int left = atomic_load(&object->references) - 1;
    atomic_store(&object->references, left);
    if (left == 0) {
        free(object);
        object = NULL;
    }
    return unused;
}

int main(void) {
    object = malloc(sizeof *object);
    atomic_init(&object->references, 2);
    pthread_t a, b;
    pthread_create(&a, NULL, user, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    object = NULL;
    return 0;
}
