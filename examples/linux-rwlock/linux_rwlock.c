/* A readers-writer lock in the style of Linux's classic rwlock_t, in C11: one word holds a bias
   that a writer takes whole and of which a reader takes one. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

enum { BIAS = 0x01000000 };

static atomic_int word = BIAS;

static bool try_take(int amount) {
    int before = atomic_fetch_sub_explicit(&word, amount, memory_order_acquire);
    if (before >= amount) return true;
    atomic_fetch_add_explicit(&word, amount, memory_order_relaxed); /* not enough: undo */
    return false;
}

static void read_lock(void) {
    while (!try_take(1))
        while (atomic_load_explicit(&word, memory_order_relaxed) <= 0) sched_yield();
}

static void read_unlock(void) {
    atomic_fetch_add_explicit(&word, 1, memory_order_release);
}

static void write_lock(void) {
    while (!try_take(BIAS))
        while (atomic_load_explicit(&word, memory_order_relaxed) != BIAS) sched_yield();
}

static void write_unlock(void) {
    atomic_fetch_add_explicit(&word, BIAS, memory_order_release);
}

/* The client: two counters that only differ while a writer is at work. */
static int first, second;

static void *reader(void *argument) {
    for (int i = 0; i < 2; i++) {
        read_lock();
        assert(first == second);
        read_unlock();
    }
    return argument;
}

static void *writer(void *argument) {
    for (int i = 0; i < 2; i++) {
        write_lock();
        first++;
        second++;
        write_unlock();
    }
    return argument;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_create(&threads[2], NULL, writer, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(first == 4 && second == 4);
    assert(atomic_load(&word) == BIAS);
    printf("rwlock: counters %d and %d\n", first, second);
    return 0;
}
