// Double-checked locking with an atomic pointer: acquire to look, release to publish.
//@ all: holds: who finds the pointer finds the object behind it
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static struct table {
    int size;
} only;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct table *_Atomic shared;
static int made;

static struct table *get(void) {
    struct table *table = atomic_load_explicit(&shared, memory_order_acquire);
    if (table == NULL) {
        pthread_mutex_lock(&mutex);
        table = atomic_load_explicit(&shared, memory_order_relaxed);
        if (table == NULL) {
            table = &only;
            table->size = 8;
            made++;
            atomic_store_explicit(&shared, table, memory_order_release);
        }
        pthread_mutex_unlock(&mutex);
    }
    return table;
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
    assert(made == 1);
    return 0;
}
