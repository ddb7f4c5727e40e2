/* A consumer waits on a condition until there is something; values come in order. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static int slot, full;

static void *producer(void *argument) {
    for (int i = 1; i <= 6; i++) {
        pthread_mutex_lock(&mutex);
        while (full) pthread_cond_wait(&not_full, &mutex);
        slot = i * 10;
        full = 1;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&mutex);
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    for (int i = 0; i < 6; i++) {
        pthread_mutex_lock(&mutex);
        while (!full) pthread_cond_wait(&not_empty, &mutex);
        printf("%d\n", slot);
        full = 0;
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(thread, NULL);
    pthread_cond_destroy(&not_empty);
    pthread_cond_destroy(&not_full);
    return 0;
}
