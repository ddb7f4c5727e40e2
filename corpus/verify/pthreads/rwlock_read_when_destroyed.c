// A readers-writer lock is destroyed when its writer has ended; a reader may still come.
//@ all: assert fails, rest cut: nobody waits for the reader
#include <pthread.h>

static pthread_rwlock_t lock;
static int data;

static void *read(void *argument) {
    pthread_rwlock_rdlock(&lock);
    int seen = data;
    pthread_rwlock_unlock(&lock);
    return seen ? argument : NULL;
}

static void *write(void *argument) {
    pthread_rwlock_wrlock(&lock);
    data = 1;
    pthread_rwlock_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t reader, writer;
    pthread_rwlock_init(&lock, NULL);
    pthread_create(&reader, NULL, read, NULL);
    pthread_create(&writer, NULL, write, NULL);
    pthread_join(writer, NULL);
    if (pthread_rwlock_trywrlock(&lock) == 0) {
        pthread_rwlock_unlock(&lock);
        pthread_rwlock_destroy(&lock);
    }
    pthread_join(reader, NULL);
    return 0;
}
