/* Publication in the style of RCU (McKenney and Slingwine, PDCS 1998) in C11: readers follow a
   pointer without a lock; the writer publishes a new object, waits until every reader that may
   hold the old one has left, and frees it. Define NO_GRACE_PERIOD to leave the waiting out. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { READERS = 2 };

struct config {
    int width;
    int height;
};

static _Atomic(struct config *) current;
static atomic_uint visits[READERS]; /* odd while the reader is inside */

static struct config *new_config(int side) {
    struct config *config = malloc(sizeof *config);
    config->width = side;
    config->height = side;
    return config;
}

static void read_lock(int me) {
    atomic_fetch_add(&visits[me], 1);
    atomic_thread_fence(memory_order_seq_cst);
}

static void read_unlock(int me) {
    atomic_fetch_add_explicit(&visits[me], 1, memory_order_release);
}

/* Whoever enters after this began sees what was published before it. */
static void synchronize(void) {
    atomic_thread_fence(memory_order_seq_cst);
    for (int i = 0; i < READERS; i++) {
        unsigned seen = atomic_load_explicit(&visits[i], memory_order_acquire);
        if (seen % 2 == 0) continue;
        while (atomic_load_explicit(&visits[i], memory_order_acquire) == seen) sched_yield();
    }
}

static void update(int side) {
    struct config *old = atomic_load_explicit(&current, memory_order_relaxed);
    atomic_store_explicit(&current, new_config(side), memory_order_release);
#ifndef NO_GRACE_PERIOD
    synchronize();
#endif
    free(old);
}

static void *reader(void *argument) {
    int me = (int)(long)argument;
    for (int i = 0; i < 2; i++) {
        read_lock(me);
        struct config *config = atomic_load_explicit(&current, memory_order_acquire);
        assert(config->width == config->height);
        read_unlock(me);
    }
    return NULL;
}

static void *writer(void *argument) {
    update(2);
    update(3);
    return argument;
}

int main(void) {
    pthread_t threads[READERS + 1];
    atomic_init(&current, new_config(1));
    for (long i = 0; i < READERS; i++) pthread_create(&threads[i], NULL, reader, (void *)i);
    pthread_create(&threads[READERS], NULL, writer, NULL);
    for (int i = 0; i <= READERS; i++) pthread_join(threads[i], NULL);
    struct config *last = atomic_load(&current);
    assert(last->width == 3);
    printf("rcu: ended at %d by %d\n", last->width, last->height);
    free(last);
    return 0;
}
