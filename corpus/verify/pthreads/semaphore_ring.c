// A ring of two places with a semaphore that counts free places and one that counts items.
//@ sc tso relaxed armv8 rc11: holds: a place is written only when free, and read only when full
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
    sem_init(&unused_places, 0, PLACES);
    sem_init(&items, 0, 0);
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
