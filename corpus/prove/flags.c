/* Two kinds of threads, of which one at a time may be inside: each raises its flag and enters if it
   does not see the other (after Dekker's algorithm). Threads of one kind take turns by a mutex. */
#define FENCEPOST_NO_DIALECT
#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>

#define FENCE() atomic_thread_fence(memory_order_seq_cst)

static atomic_int left, right;
static int inside;
static pthread_mutex_t of_left, of_right;

void init(void) {
    atomic_init(&left, 0);
    atomic_init(&right, 0);
    pthread_mutex_init(&of_left, NULL);
    pthread_mutex_init(&of_right, NULL);
}

static void enter(atomic_int *mine, atomic_int *others) {
    atomic_store_explicit(mine, 1, memory_order_relaxed);
    FENCE();
    if (!atomic_load_explicit(others, memory_order_relaxed)) {
        fp_assert(!inside);
        inside = 1;
        inside = 0;
    }
    atomic_store_explicit(mine, 0, memory_order_release);
}

void l(void) {
    pthread_mutex_lock(&of_left);
    enter(&left, &right);
    pthread_mutex_unlock(&of_left);
}

void r(void) {
    pthread_mutex_lock(&of_right);
    enter(&right, &left);
    pthread_mutex_unlock(&of_right);
}
