// The only pointer to a block is overwritten in part.
//@ all: leak fails: what is left of the pointer leads nowhere
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int *shared;

static void *worker(void *unused) {
    (void)unused;
    shared = malloc(sizeof *shared);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    unsigned char *bytes = (unsigned char *)&shared;
    memset(bytes + 1, 0x55, 3);
    return 0;
}
