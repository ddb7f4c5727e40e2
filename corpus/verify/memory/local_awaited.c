// A call starts threads with the addresses of its locals, and awaits them before it returns.
//@ all: holds: nobody is left that could come too late
#include <assert.h>
#include <pthread.h>

static void *worker(void *to) {
    *(int *)to += 1;
    return NULL;
}

static int run(int first, int second) {
    int values[2] = {first, second};
    pthread_t a, b;
    pthread_create(&a, NULL, worker, &values[0]);
    pthread_create(&b, NULL, worker, &values[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return values[0] + values[1];
}

int main(void) {
    assert(run(1, 2) == 5);
    assert(run(3, 4) == 9);
    return 0;
}
