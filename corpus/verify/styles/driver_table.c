// A driver in the manner of an operating system's: a device has a table of functions, and its buffer
// is made by the first user and freed by the last.
//@ sc tso pso armv8 power riscv rc11: holds: the lock protects the count and the buffer, and nobody changes the table
#include <pthread.h>
#include <stdlib.h>

struct device;

struct operations {
    void (*open)(struct device *);
    int (*read)(struct device *, int);
    void (*release)(struct device *);
};

struct device {
    const char *name;
    const struct operations *operations;
    pthread_mutex_t lock;
    int users;
    int *buffer;
};

static void ram_open(struct device *device) {
    pthread_mutex_lock(&device->lock);
    if (device->users++ == 0) {
        device->buffer = malloc(4 * sizeof(int));
        device->buffer[0] = 1;
    }
    pthread_mutex_unlock(&device->lock);
}

static int ram_read(struct device *device, int index) {
    pthread_mutex_lock(&device->lock);
    int value = device->buffer[index];
    pthread_mutex_unlock(&device->lock);
    return value;
}

static void ram_release(struct device *device) {
    pthread_mutex_lock(&device->lock);
    if (--device->users == 0) {
        free(device->buffer);
        device->buffer = NULL;
    }
    pthread_mutex_unlock(&device->lock);
}

static struct operations ram_operations = {
    .open = ram_open,
    .read = ram_read,
    .release = ram_release,
};

static struct device ram = {
    .name = "ram",
    .operations = &ram_operations,
    .lock = PTHREAD_MUTEX_INITIALIZER,
};

static void *user(void *argument) {
    struct device *device = argument;
    device->operations->open(device);
    if (device->operations->read(device, 0) != 1)
        abort();
    device->operations->release(device);
    return NULL;
}

int main(void) {
    pthread_t users[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&users[i], NULL, user, &ram);
    for (int i = 0; i < 2; i++)
        pthread_join(users[i], NULL);
    return 0;
}
