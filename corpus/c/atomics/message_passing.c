/* What was written before a release store is seen after the acquire load that reads it. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static int data[3];
static atomic_bool ready;

static void *sender(void *argument) {
    for (int i = 0; i < 3; i++) data[i] = (i + 1) * 11;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sender, NULL);
    while (!atomic_load_explicit(&ready, memory_order_acquire)) sched_yield();
    printf("%d %d %d\n", data[0], data[1], data[2]);
    pthread_join(thread, NULL);
    return 0;
}
