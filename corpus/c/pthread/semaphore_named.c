// Semaphores with names.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t *guard, *done;
static int counter;

static void *worker(void *arg) {
    sem_wait(guard);
    counter += *(int *)arg;
    sem_post(guard);
    sem_post(done);
    return 0;
}

int main(void) {
    sem_unlink("/fencepost-guard");
    sem_unlink("/fencepost-done");
    guard = sem_open("/fencepost-guard", O_CREAT | O_EXCL, 0600, 1);
    done = sem_open("/fencepost-done", O_CREAT, 0600, 0);
    printf("%d %d\n", guard != SEM_FAILED, done != SEM_FAILED);
    printf("%d\n", sem_open("/fencepost-guard", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && errno == EEXIST);
    printf("%d\n", sem_open("/fencepost-none", 0) == SEM_FAILED && errno == ENOENT);
    int two = 2, five = 5;
    pthread_t a, b;
    pthread_create(&a, 0, worker, &two);
    pthread_create(&b, 0, worker, &five);
    sem_wait(done);
    sem_wait(done);
    pthread_join(a, 0);
    pthread_join(b, 0);
    int value;
    sem_getvalue(guard, &value);
    printf("%d %d\n", counter, value);
    sem_close(guard);
    sem_unlink("/fencepost-guard");
    printf("%d\n", sem_open("/fencepost-guard", 0) == SEM_FAILED);
    sem_unlink("/fencepost-done");
    return 0;
}
