/* A sequence lock with the C11 orders that Boehm worked out (MSPC 2012): writers make the number
   odd while they write, and a reader that saw it odd or changed reads again. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_uint sequence;
static atomic_int first, second;

static void write_both(int value) {
    unsigned even = atomic_load_explicit(&sequence, memory_order_relaxed);
    for (;;) {
        if (even & 1) {
            sched_yield();
            even = atomic_load_explicit(&sequence, memory_order_relaxed);
        } else if (atomic_compare_exchange_weak_explicit(&sequence, &even, even + 1,
                                                         memory_order_acquire,
                                                         memory_order_relaxed)) {
            break;
        }
    }
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&first, value, memory_order_relaxed);
    atomic_store_explicit(&second, value, memory_order_relaxed);
    atomic_store_explicit(&sequence, even + 2, memory_order_release);
}

static void read_both(int *one, int *two) {
    for (;;) {
        unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
        *one = atomic_load_explicit(&first, memory_order_relaxed);
        *two = atomic_load_explicit(&second, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        unsigned after = atomic_load_explicit(&sequence, memory_order_relaxed);
        if (before == after && !(before & 1)) return;
        sched_yield();
    }
}

static void *writer(void *argument) {
    int value = (int)(long)argument;
    write_both(value);
    write_both(value + 1);
    return NULL;
}

static void *reader(void *argument) {
    for (int i = 0; i < 2; i++) {
        int one, two;
        read_both(&one, &two);
        assert(one == two);
    }
    return argument;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, writer, (void *)10L);
    pthread_create(&threads[1], NULL, writer, (void *)20L);
    pthread_create(&threads[2], NULL, reader, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    int one, two;
    read_both(&one, &two);
    assert(one == two && (one == 11 || one == 21));
    assert(atomic_load(&sequence) == 8);
    printf("seqlock: ended at %d\n", one);
    return 0;
}
