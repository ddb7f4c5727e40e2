// A queue of numbers in decimal digits, which are parsed and divided where they are taken out.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

atomic_uint queue[N];
atomic_uint tail, total;

static unsigned digits(unsigned number) {
    unsigned text = 0;
    for (int i = 0; i < 3; i++) {
        text = text << 8 | ('0' + number % 10);
        number /= 10;
    }
    return text;
}

static unsigned parsed(unsigned text) {
    unsigned number = 0;
    for (int i = 0; i < 3; i++) {
        number = number * 10 + ((text & 255) - '0');
        text >>= 8;
    }
    return number;
}

static void *producer(void *unused) {
    for (unsigned i = 0; i < N; i++) {
        atomic_store_explicit(&queue[i], digits(120 + 37 * i), memory_order_relaxed);
        atomic_store_explicit(&tail, i + 1, memory_order_release);
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, producer, 0);
    for (unsigned i = 0; i < N; i++)
        if (atomic_load_explicit(&tail, memory_order_acquire) > i) {
            unsigned number = parsed(atomic_load_explicit(&queue[i], memory_order_relaxed));
            assert(number == 120 + 37 * i);
            total += 1000 / number;
        }
    pthread_join(thread, 0);
}
