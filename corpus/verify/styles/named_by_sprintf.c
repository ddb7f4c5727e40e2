// Threads write their names into buffers that are too small for a number and a zero.
//@ all: memory fails: the text has three characters and a zero, the buffer three bytes
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char names[2][12];

static void *run(void *argument) {
    int number = (int)(long)argument;
    char prefix[3];
    sprintf(prefix, "w%02d", number);
    int length = snprintf(names[number], sizeof(names[number]), "%s:%#x", prefix, 10 + number);
    assert(length == 7 && strlen(names[number]) == 7);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    char all[13];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    int length = snprintf(all, sizeof(all), "%.8s+%.8s", names[0], names[1]);
    assert(length == 15);
    assert(strcmp(all, "w00:0xa+w01:") == 0);
    return 0;
}
