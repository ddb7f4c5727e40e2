// Threads that fill rows of their own, each row under a lock of its own: many events, one execution.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 6
#endif
#define COLUMNS 4
int row[N][COLUMNS];
pthread_mutex_t lock[N];

static void *fill(void *argument) {
    long own = (long)argument;
    for (int column = 0; column < COLUMNS; column++) {
        pthread_mutex_lock(&lock[own]);
        row[own][column] = column ? row[own][column - 1] + 1 : 1;
        pthread_mutex_unlock(&lock[own]);
    }
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (int i = 0; i < N; i++) pthread_mutex_init(&lock[i], 0);
    for (long i = 0; i < N; i++) pthread_create(&t[i], 0, fill, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
    for (int i = 0; i < N; i++) assert(row[i][COLUMNS - 1] == COLUMNS);
    return 0;
}
