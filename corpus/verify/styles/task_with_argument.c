// A worker takes a task, a function with its argument, from under the mutex that it was given.
//@ all: holds: the task is set and run under the mutex, and nothing but it touches the counters
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counters[2];
static struct {
    void (*function)(void *);
    void *argument;
} task;

static void count(void *argument) {
    *(int *)argument += 1;
}

static void *work(void *argument) {
    pthread_mutex_t *given = argument;
    pthread_mutex_lock(given);
    if (task.function)
        task.function(task.argument);
    pthread_mutex_unlock(given);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, &mutex);
    pthread_mutex_lock(&mutex);
    task.argument = &counters[1];
    task.function = count;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return counters[0];
}
