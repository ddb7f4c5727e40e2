// A driver whose table of functions is changed while it is used: closing a device puts functions
// there that do nothing any more.
//@ sc tso pso armv8 power riscv rc11: memory fails, race open: a user that has already read the old function uses the freed buffer
#include <pthread.h>
#include <stdlib.h>

struct device {
    int (*read)(struct device *);
    int *buffer;
};

static int ram_read(struct device *device) { return device->buffer[0]; }

static int closed_read(struct device *device) { return device == NULL; }

static struct device ram = {.read = ram_read};

static void *user(void *argument) {
    struct device *device = argument;
    device->read(device);
    return NULL;
}

static void *closer(void *argument) {
    struct device *device = argument;
    device->read = closed_read;
    free(device->buffer);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    ram.buffer = calloc(1, sizeof(int));
    pthread_create(&a, NULL, user, &ram);
    pthread_create(&b, NULL, closer, &ram);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
