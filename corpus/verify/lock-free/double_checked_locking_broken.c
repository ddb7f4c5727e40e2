// Double-checked locking as it was first published: the pointer is a plain variable.
//@ sc tso: holds: the object is written before the pointer
//@ pso: assert fails: the pointer may be seen before the object
//@ relaxed: assert fails, memory fails: likewise, and the second look at the pointer may be older than the first, so null
//@ armv8 power riscv: assert fails: the pointer may be seen before the object
//@ rc11: assert fails, race fails, memory open: the first look is a race with the publication
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static struct table {
    int size;
} only;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct table *shared;

static struct table *get(void) {
    if (shared == NULL) {
        pthread_mutex_lock(&mutex);
        if (shared == NULL) {
            only.size = 8;
            shared = &only;
        }
        pthread_mutex_unlock(&mutex);
    }
    return shared;
}

static void *worker(void *unused) {
    assert(get()->size == 8);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
