// A queue of texts, which are parsed by strtol and divided where they are taken out.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef N
#define N 2
#endif

char queue[N][4];
atomic_uint tail, total;

static void print(char *text, unsigned number) {
    for (int i = 2; i >= 0; i--) {
        text[i] = '0' + number % 10;
        number /= 10;
    }
    text[3] = 0;
}

static void *producer(void *unused) {
    for (unsigned i = 0; i < N; i++) {
        print(queue[i], 120 + 37 * i);
        atomic_store_explicit(&tail, i + 1, memory_order_release);
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, producer, 0);
    for (unsigned i = 0; i < N; i++)
        if (atomic_load_explicit(&tail, memory_order_acquire) > i) {
            char *end;
            long number = strtol(queue[i], &end, 10);
            assert(*end == 0 && number == 120 + 37 * i);
            total += 1000 / number;
        }
    pthread_join(thread, 0);
}
