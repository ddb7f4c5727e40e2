// The last of two users frees an object.
//@ sc tso armv8 power riscv rc11 lkmm: holds: atomic_dec_and_test orders every use before the last one's free
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
    if (atomic_dec_and_test(&object->users))
        free(object);
    return unused;
}

static void *two(void *unused) {
    WRITE_ONCE(object->value, 1);
    if (atomic_dec_and_test(&object->users))
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
