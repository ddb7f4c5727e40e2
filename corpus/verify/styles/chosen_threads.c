// As many threads as the input says, up to three, with their handles in a block of that size.
//@ all: holds: each thread counts once, under a lock
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void assume_abort_if_not(int cond) {
    if (!cond) abort();
}
void reach_error(void) {}

int count;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *thread(void *arg) {
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    assume_abort_if_not(n > 0 && n < 4);
    pthread_t *threads = malloc(sizeof(pthread_t) * n);
    for (int i = 0; i < n; i++) pthread_create(&threads[i], 0, thread, 0);
    for (int i = 0; i < n; i++) pthread_join(threads[i], 0);
    if (count != n) reach_error();
    free(threads);
    return 0;
}
