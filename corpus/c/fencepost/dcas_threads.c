/* A double compare-and-swap changes two words in one step. */
#include <checkfence.h>
#include <pthread.h>
#include <stdio.h>

static int left, right;

static void *worker(void *argument) {
    for (int done = 0; done < 5;) {
        int l = left, r = right;
        done += dcas(&left, &right, l, r, l + 1, r + 2);
    }
    return argument;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    printf("%d %d\n", left, right);
    return 0;
}
