// A bounded stack: its lock, its array and its count are in one struct.
//@ all: holds: the count is looked at and changed with the lock
#include <assert.h>
#include <pthread.h>

static struct {
    pthread_mutex_t lock;
    long items[2];
    int count;
} stack = {.lock = PTHREAD_MUTEX_INITIALIZER};

static long total;

static void *consumer(void *unused) {
    pthread_mutex_lock(&stack.lock);
    if (stack.count > 0)
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
    assert(total + stack.count == 1);
    return 0;
}
