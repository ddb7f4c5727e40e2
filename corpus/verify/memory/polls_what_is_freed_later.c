// A thread looks again and again, with the lock of an object, whether it may go on; main frees the
// object when the thread has ended.
//@ all imm: holds: nobody uses the object then
#include <pthread.h>
#include <stdlib.h>

struct gate {
    pthread_mutex_t lock;
    int open;
};

static void *polls(void *argument) {
    struct gate *gate = argument;
    int seen;
    do {
        pthread_mutex_lock(&gate->lock);
        seen = gate->open;
        pthread_mutex_unlock(&gate->lock);
    } while (!seen);
    return 0;
}

int main(void) {
    struct gate *gate = malloc(sizeof *gate);
    pthread_t a;
    if (!gate)
        return 1;
    pthread_mutex_init(&gate->lock, 0);
    gate->open = 0;
    pthread_create(&a, 0, polls, gate);
    pthread_mutex_lock(&gate->lock);
    gate->open = 1;
    pthread_mutex_unlock(&gate->lock);
    pthread_join(a, 0);
    pthread_mutex_destroy(&gate->lock);
    free(gate);
    return 0;
}
