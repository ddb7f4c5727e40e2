// C11 threads with a condition variable.
//@ all: holds: the condition is looked at under the mutex
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static int ready;

static int waiter(void *unused) {
    (void)unused;
    mtx_lock(&mutex);
    while (!ready)
        cnd_wait(&changed, &mutex);
    mtx_unlock(&mutex);
    return ready;
}

int main(void) {
    thrd_t thread;
    int result;
    mtx_init(&mutex, mtx_plain);
    cnd_init(&changed);
    thrd_create(&thread, waiter, 0);
    mtx_lock(&mutex);
    ready = 1;
    cnd_signal(&changed);
    mtx_unlock(&mutex);
    thrd_join(thread, &result);
    assert(result == 1);
    return 0;
}
