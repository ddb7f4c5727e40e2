// Three threads each write an element of the first row of a matrix; the row has two.
//@ all: memory fails: the third element is in the second row
#include <pthread.h>
#include <stdatomic.h>

static int matrix[2][2];
static atomic_int used;

static void *worker(void *unused) {
    matrix[0][atomic_fetch_add(&used, 1)] = 1;
    return unused;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
