// Whoever is told to be the one of its round destroys the barrier and frees it.
//@ all: holds: nobody is blocked at a barrier whose round is complete
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct meeting {
    pthread_barrier_t barrier;
    int sum;
};

static void *meet(void *argument) {
    struct meeting *meeting = argument;
    if (pthread_barrier_wait(&meeting->barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
        pthread_barrier_destroy(&meeting->barrier);
        assert(meeting->sum == 1);
        free(meeting);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct meeting *meeting = malloc(sizeof(struct meeting));
    pthread_barrier_init(&meeting->barrier, NULL, 2);
    meeting->sum = 0;
    pthread_create(&thread, NULL, meet, meeting);
    meeting->sum = 1;
    meet(meeting);
    pthread_join(thread, NULL);
    return 0;
}
