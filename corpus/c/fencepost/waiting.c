/* An assumption inside an atomic section waits: two threads hand a token back and forth. */
#include <fencepost.h>
#include <pthread.h>
#include <stdio.h>

static int turn, log_[8], length;

static void *worker(void *argument) {
    int me = (int)(long)argument;
    for (int i = 0; i < 4; i++) {
        fp_atomic {
            log_[length] = me; /* undone if it is not my turn */
            length++;
            fp_assume(turn == me);
            turn = 1 - me;
        }
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, worker, (void *)0L);
    pthread_create(&threads[1], NULL, worker, (void *)1L);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    for (int i = 0; i < length; i++) printf("%d", log_[i]);
    printf("\n");
    return 0;
}
