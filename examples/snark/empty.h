/* A client for Snark's first bug: the deque holds one value; one thread pops at the right while
   another first pushes a value there and then pops at the left. The deque is never empty, so
   both must get a value. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int popped_right, popped_left;

static void *at_the_right(void *argument) {
    popped_right = client_pop_right();
    return argument;
}

static void *push_then_left(void *argument) {
    client_push_right(2);
    popped_left = client_pop_left();
    return argument;
}

int main(void) {
    pthread_t threads[2];
    deque_init();
    push_left(1);
    pthread_create(&threads[0], NULL, at_the_right, NULL);
    pthread_create(&threads[1], NULL, push_then_left, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(popped_right != EMPTY); /* there was always something in it */
    assert(popped_left != EMPTY);
    assert(popped_right != popped_left);
    printf("deque: popped %d at the right and %d at the left\n", popped_right, popped_left);
    return 0;
}
