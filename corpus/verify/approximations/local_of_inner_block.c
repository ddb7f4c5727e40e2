// A thread reads a local of an inner block that has ended, while its call goes on.
//@ all: holds: objects of blocks live until their call returns (S-010), so this error is not found
#include <assert.h>
#include <pthread.h>

static void *read(void *number) {
    assert(*(int *)number == 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    int *number;
    {
        int inner = 1;
        number = &inner;
    }
    pthread_create(&thread, 0, read, number);
    pthread_join(thread, 0);
    return 0;
}
