// The one of its round frees the barrier with the sum beside it, which the other still reads.
//@ all: memory fails: nothing makes the free wait for who reads the sum behind the barrier
//@ rc11: memory fails, race fails: nothing makes the free wait for who reads the sum
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
        free(meeting);
    } else {
        assert(meeting->sum == 1);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct meeting *meeting = malloc(sizeof(struct meeting));
    pthread_barrier_init(&meeting->barrier, NULL, 2);
    meeting->sum = 1;
    pthread_create(&thread, NULL, meet, meeting);
    meet(meeting);
    pthread_join(thread, NULL);
    return 0;
}
