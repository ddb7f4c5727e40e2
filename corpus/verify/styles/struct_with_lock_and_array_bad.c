// A bounded stack whose consumer does not look whether there is anything.
//@ all: memory fails: the consumer may come first, and then takes what is before the array
#include <pthread.h>

static struct {
    pthread_mutex_t lock;
    long items[2];
    int count;
} stack = {.lock = PTHREAD_MUTEX_INITIALIZER};

static long total;

static void *consumer(void *unused) {
    pthread_mutex_lock(&stack.lock);
    total += stack.items[--stack.count];
    pthread_mutex_unlock(&stack.lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, consumer, 0);
    pthread_mutex_lock(&stack.lock);
    stack.items[stack.count++] = 1;
    pthread_mutex_unlock(&stack.lock);
    pthread_join(thread, 0);
    return 0;
}
