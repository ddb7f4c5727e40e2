// main stops a device and frees it, and only then waits for the thread that uses it.
//@ all: memory fails: the thread may use the device after it was freed
//@ rc11: memory fails, race fails: nothing orders the accesses
#include <pthread.h>
#include <stdlib.h>

struct device {
    int registers[2];
    volatile int runs;
};

static void *interrupt(void *argument) {
    struct device *device = argument;
    if (device->runs)
        device->registers[0]++;
    return 0;
}

int main(void) {
    pthread_t thread;
    struct device *device = calloc(1, sizeof *device);
    if (!device)
        return 0;
    device->runs = 1;
    pthread_create(&thread, 0, interrupt, device);
    device->runs = 0;
    free(device);
    pthread_join(thread, 0);
    return 0;
}
