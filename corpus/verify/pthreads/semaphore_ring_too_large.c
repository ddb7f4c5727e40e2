// The same ring with a semaphore that promises more places than there are.
//@ sc tso pso relaxed armv8 power riscv: assert fails: an item may be overwritten before it is read
//@ rc11: race fails, assert fails: the overwriting is not ordered with the reading
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

enum { PLACES = 2, ITEMS = 3 };

static sem_t unused_places, items;
static int ring[PLACES];

static void *producer(void *unused) {
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&unused_places);
        ring[i % PLACES] = i;
        sem_post(&items);
    }
    return unused;
}

static void *consumer(void *unused) {
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&items);
        assert(ring[i % PLACES] == i);
        sem_post(&unused_places);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    sem_init(&unused_places, 0, PLACES + 1);
    sem_init(&items, 0, 0);
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
