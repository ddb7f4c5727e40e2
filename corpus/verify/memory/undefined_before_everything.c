// A branch on a variable that was never written, before anything else: every execution ends there.
//@ all: memory fails: no execution goes on past the branch
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int count;

static void *increment(void *unused) {
    (void)unused;
    count++;
    return 0;
}

int main(void) {
    int *verbose = malloc(sizeof *verbose);
    if (*verbose)
        count = 0;
    pthread_t a, b;
    pthread_create(&a, 0, increment, 0);
    pthread_create(&b, 0, increment, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2);
    return 0;
}
