// Waits until the highest bit of a word is gone, and counts how often the word changes until then.
//@ all: holds: it cannot change more often than it is written
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint word = 0x80;

static void *change(void *argument) {
    atomic_store(&word, 0x81);
    atomic_store(&word, 0x80);
    atomic_store(&word, 2);
    return argument;
}

int main(void) {
    pthread_t thread;
    unsigned changes = 0;
    pthread_create(&thread, NULL, change, NULL);
    unsigned state = atomic_load(&word), last = state;
    while (state & 0x80) {
        state = atomic_load(&word);
        if (state != last) {
            changes++;
            last = state;
        }
    }
    pthread_join(thread, NULL);
    assert(state == 2 && changes <= 3);
    return 0;
}
