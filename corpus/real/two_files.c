// A library of two files with a header of wrappers: linked, each with names of its own.
//$ verify FILE parts/queue.c --link -Iparts --model sc --model tso --model armv8 --model power --model rc11 --model lkmm
//$ verify FILE --with parts/queue.c -Iparts -DRELAXED --property assert --model tso --model armv8
//$ verify FILE -Iparts --model sc
//$ verify FILE --with parts/queue.c -p parts --model sc
//$ verify FILE --with parts/queue.c -isystem parts -include parts/wrappers.h -std=gnu11 -w --model sc
#include "queue.h"
#include <assert.h>
#include <pthread.h>

static int count; /* the other file has one, too */
int capacity = 1; /* the other file has a weak one */

static void *produces(void *unused) {
    queue_put(&shared, 7);
    return unused;
}

int main(void) {
    pthread_t thread;
    int value = 0;
    pthread_create(&thread, NULL, produces, NULL);
    if (queue_get(&shared, &value)) {
        count++;
        assert(value == 7);
    }
    pthread_join(thread, NULL);
    assert(count <= 1 && queue_count() == 1 && capacity == 1 && queue_capacity() == 1);
    return 0;
}
