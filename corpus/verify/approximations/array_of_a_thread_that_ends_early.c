// A thread ends in a function that is called while a variable-length array exists.
//@ all: leak fails: the array is a block that nothing frees then (S-025); there is no such leak
#include <pthread.h>

static void leave(int *numbers) {
    numbers[0] = 1;
    pthread_exit(0);
}

static void *work(void *size) {
    int numbers[*(int *)size];
    leave(numbers);
    return 0;
}

int main(void) {
    pthread_t thread;
    int size = 3;
    pthread_create(&thread, 0, work, &size);
    pthread_join(thread, 0);
    return 0;
}
