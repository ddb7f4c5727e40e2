/* Readers share a lock, a writer has it alone. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int first, second;

static void *try_read(void *argument) {
    int error = pthread_rwlock_tryrdlock(&lock);
    if (error == 0) pthread_rwlock_unlock(&lock);
    (void)argument;
    return (void *)(long)error;
}

static void *try_write(void *argument) {
    int error = pthread_rwlock_trywrlock(&lock);
    if (error == 0) pthread_rwlock_unlock(&lock);
    (void)argument;
    return (void *)(long)error;
}

static int elsewhere(void *(*function)(void *)) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, function, NULL);
    pthread_join(thread, &result);
    return (int)(long)result;
}

static void *writer(void *argument) {
    for (int i = 0; i < 5; i++) {
        pthread_rwlock_wrlock(&lock);
        first++;
        second++;
        pthread_rwlock_unlock(&lock);
    }
    return argument;
}

static void *reader(void *argument) {
    long different = 0;
    for (int i = 0; i < 5; i++) {
        pthread_rwlock_rdlock(&lock);
        different += first != second;
        pthread_rwlock_unlock(&lock);
    }
    (void)argument;
    return (void *)different;
}

int main(void) {
    printf("%d %d\n", elsewhere(try_read), elsewhere(try_write));
    pthread_rwlock_rdlock(&lock);
    printf("%d %d\n", elsewhere(try_read), elsewhere(try_write) == EBUSY);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    printf("%d %d\n", elsewhere(try_read) == EBUSY, elsewhere(try_write) == EBUSY);
    pthread_rwlock_unlock(&lock);

    pthread_t threads[3];
    void *different;
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, writer, NULL);
    pthread_create(&threads[2], NULL, reader, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    pthread_join(threads[2], &different);
    printf("%d %d %ld\n", first, second, (long)different);
    return pthread_rwlock_destroy(&lock);
}
