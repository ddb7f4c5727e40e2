/* Nobody sees the middle of an atomic section. */
#include <fencepost.h>
#include <pthread.h>
#include <stdio.h>

static int first, second;

static void *writer(void *argument) {
    for (int i = 0; i < 10; i++) {
        fp_atomic {
            first++;
            second++;
        }
    }
    return argument;
}

int main(void) {
    pthread_t threads[2];
    int different = 0;
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, writer, NULL);
    for (int i = 0; i < 10; i++) {
        fp_atomic_begin();
        different += first != second;
        fp_atomic_end();
    }
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    printf("%d %d %d\n", different, first, second);
    return 0;
}
