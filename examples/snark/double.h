/* A client for Snark's second bug, which is rare: the deque holds 1 and 2; one thread pops at the
   right, one at the left, and one pushes 3 at the right and pops at either side. No value may be
   popped twice. It is tried over and over, and a barrier lets the three start together. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

enum { ROUNDS = 40 };

static pthread_barrier_t barrier;
static int popped[4];

static void *at_the_right(void *argument) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_barrier_wait(&barrier);
        popped[0] = client_pop_right();
        pthread_barrier_wait(&barrier);
    }
    return argument;
}

static void *at_the_left(void *argument) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_barrier_wait(&barrier);
        popped[1] = client_pop_left();
        pthread_barrier_wait(&barrier);
    }
    return argument;
}

static void *push_and_pop(void *argument) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_barrier_wait(&barrier);
        client_push_right(3);
        popped[2] = client_pop_left();
        popped[3] = client_pop_right();
        pthread_barrier_wait(&barrier);
    }
    return argument;
}

static void play(void) {
    deque_init();
    push_right(1);
    push_right(2);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++)
            assert(popped[i] == EMPTY || popped[i] != popped[j]); /* nothing is popped twice */
}

int main(void) {
    pthread_t threads[3];
    pthread_barrier_init(&barrier, NULL, 4);
    pthread_create(&threads[0], NULL, at_the_right, NULL);
    pthread_create(&threads[1], NULL, at_the_left, NULL);
    pthread_create(&threads[2], NULL, push_and_pop, NULL);
    for (int i = 0; i < ROUNDS; i++) play();
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    printf("deque: %d rounds, nothing was popped twice\n", ROUNDS);
    return 0;
}
