// A driver whose object is on the heap and whose functions are called one after the other through a
// table that it points to; it is freed when nobody else runs any more.
//@ all: holds: the table is set before the interrupt is, everything else is under the lock
#include <pthread.h>
#include <stdlib.h>
#include <stddef.h>
#define container_of(p, t, m) ((t *)((char *)(p) - offsetof(t, m)))
struct device { int id; };
struct operations { int (*open)(struct device *); void (*stop)(struct device *); };
struct driver {
  pthread_mutex_t lock;
  int opened;
  struct device device;
  const struct operations *operations;
};
static int device_open(struct device *device) {
  struct driver *driver = container_of(device, struct driver, device);
  pthread_mutex_lock(&driver->lock);
  driver->opened++;
  pthread_mutex_unlock(&driver->lock);
  return 0;
}
static void device_stop(struct device *device) {
  struct driver *driver = container_of(device, struct driver, device);
  pthread_mutex_lock(&driver->lock);
  driver->opened = 0;
  pthread_mutex_unlock(&driver->lock);
}
static const struct operations operations = { .open = device_open, .stop = device_stop };
static void *interrupt(void *arg) {
  struct driver *driver = arg;
  pthread_mutex_lock(&driver->lock);
  driver->opened++;
  pthread_mutex_unlock(&driver->lock);
  return 0;
}
int main(void) {
  struct driver *driver = calloc(1, sizeof *driver);
  pthread_mutex_init(&driver->lock, 0);
  driver->operations = &operations;
  pthread_t thread;
  pthread_create(&thread, 0, interrupt, driver);
  driver->operations->open(&driver->device);
  driver->operations->stop(&driver->device);
  pthread_join(thread, 0);
  pthread_mutex_destroy(&driver->lock);
  free(driver);
  return 0;
}
