// Reads a thread-local object of a thread that has ended.
#include <pthread.h>

static _Thread_local int mine = 3;

static void *work(void *unused) {
    (void)unused;
    return &mine;
}

int main(void) {
    pthread_t thread;
    void *theirs;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, &theirs);
    return *(int *)theirs;
}
