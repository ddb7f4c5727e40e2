// Every thread gets a struct of its own with input and room for output.
//@ all: holds: nothing is shared
#include <assert.h>
#include <pthread.h>

struct job {
    int from, to, sum;
};

static void *worker(void *argument) {
    struct job *job = argument;
    for (int i = job->from; i < job->to; i++)
        job->sum += i;
    return NULL;
}

int main(void) {
    struct job jobs[2] = { { 0, 3, 0 }, { 3, 5, 0 } };
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, &jobs[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(jobs[0].sum + jobs[1].sum == 10);
    return 0;
}
