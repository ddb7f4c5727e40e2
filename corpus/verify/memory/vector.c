// A vector under a mutex that doubles when it is full: its capacity, and so the size that is
// allocated, is read from shared memory.
//@ all: holds: pushes exclude each other, so each finds room for its number
//@ relaxed: open: what a thread reads may come from behind the allocation there, so its size is refused
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct entry {
    int key, value;
};

static struct entry *entries;
static int count, capacity;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *push(void *argument) {
    pthread_mutex_lock(&mutex);
    if (count == capacity) {
        capacity = capacity ? 2 * capacity : 1;
        entries = realloc(entries, capacity * sizeof *entries);
    }
    entries[count].key = *(int *)argument;
    entries[count].value = 1;
    count++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int keys[2] = { 1, 2 };
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, push, &keys[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(count == 2 && entries[0].key + entries[1].key == 3);
    free(entries);
    return 0;
}
