/* Nobody passes a barrier before all have come; exactly one is told to be the serial thread. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 3, PHASES = 3 };

static pthread_barrier_t barrier;
static atomic_int arrived[PHASES];
static atomic_int serial[PHASES];
static atomic_int early;

static void *worker(void *argument) {
    for (int phase = 0; phase < PHASES; phase++) {
        atomic_fetch_add(&arrived[phase], 1);
        int result = pthread_barrier_wait(&barrier);
        if (result == PTHREAD_BARRIER_SERIAL_THREAD) atomic_fetch_add(&serial[phase], 1);
        if (atomic_load(&arrived[phase]) != THREADS) atomic_fetch_add(&early, 1);
    }
    return argument;
}

int main(void) {
    pthread_t threads[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int phase = 0; phase < PHASES; phase++)
        printf("%d %d\n", atomic_load(&arrived[phase]), atomic_load(&serial[phase]));
    printf("%d\n", atomic_load(&early));
    return pthread_barrier_destroy(&barrier);
}
