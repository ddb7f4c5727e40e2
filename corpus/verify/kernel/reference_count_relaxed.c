// The last of two users frees an object, and the count orders nothing.
//@ sc tso: holds: the machine keeps the accesses in order
//@ lkmm: memory fails, race fails: the free may come before the other one's use
#include <assert.h>
#include <lkmm.h>
#include <stdlib.h>

struct object {
    atomic_t users;
    int value;
};
static struct object *object;

static void *one(void *unused) {
    WRITE_ONCE(object->value, 1);
    if (atomic_fetch_sub_relaxed(1, &object->users) == 1)
        free(object);
    return unused;
}

static void *two(void *unused) {
    WRITE_ONCE(object->value, 1);
    if (atomic_fetch_sub_relaxed(1, &object->users) == 1)
        free(object);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    object = malloc(sizeof *object);
    atomic_set(&object->users, 2);
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
