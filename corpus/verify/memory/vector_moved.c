// A reader keeps a pointer into a vector that another thread makes larger.
//@ all: memory fails: `realloc` may free the block before it is read
//@ rc11: memory fails, race fails: nothing orders the read and the release of the block
#include <pthread.h>
#include <stdlib.h>

static int *numbers;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *reads(void *unused) {
    pthread_mutex_lock(&mutex);
    int *kept = numbers;
    pthread_mutex_unlock(&mutex);
    volatile int value = kept[0];
    (void)value;
    return unused;
}

static void *grows(void *unused) {
    pthread_mutex_lock(&mutex);
    numbers = realloc(numbers, 2 * sizeof(int));
    numbers[1] = 2;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    numbers = malloc(sizeof(int));
    numbers[0] = 1;
    pthread_t reader, writer;
    pthread_create(&reader, NULL, reads, NULL);
    pthread_create(&writer, NULL, grows, NULL);
    pthread_join(reader, NULL);
    pthread_join(writer, NULL);
    free(numbers);
    return 0;
}
