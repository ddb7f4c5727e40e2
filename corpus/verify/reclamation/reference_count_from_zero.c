// A reader takes a reference without looking whether anybody still holds one.
//@ all: memory fails, race open, leak open: the owner may have freed the object before the reader counts itself in
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
};

static void release(struct object *object) {
    if (atomic_fetch_sub(&object->references, 1) == 1)
        free(object);
}

static void *reader(void *argument) {
    struct object *object = argument;
    atomic_fetch_add(&object->references, 1);
    release(object);
    return NULL;
}

int main(void) {
    struct object *object = malloc(sizeof *object);
    atomic_init(&object->references, 1);
    pthread_t thread;
    pthread_create(&thread, NULL, reader, object);
    release(object); /* main's own reference; the reader has none yet */
    pthread_join(thread, NULL);
    return 0;
}
