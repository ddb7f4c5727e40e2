// In the style of driver-derived races: a device struct, callbacks in a table, an interrupt thread.
//@ all: holds: every value that can be read is a legal state
//@ rc11: race fails: the callback reads the state without the lock
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
typedef unsigned char u8;
struct device;
struct ops { int (*probe)(struct device *); void (*irq)(struct device *); int (*state)(struct device *); };
struct device { pthread_mutex_t lock; const struct ops *ops; union { u8 raw[4]; int word; } regs; int state; };
static int my_probe(struct device *d) { pthread_mutex_init(&d->lock, NULL); d->state = 1; return 0; }
static void my_irq(struct device *d) { pthread_mutex_lock(&d->lock); d->state = 2; pthread_mutex_unlock(&d->lock); }
static int my_state(struct device *d) { return d->state; }
static const struct ops my_ops = { .probe = my_probe, .irq = my_irq, .state = my_state };
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - __builtin_offsetof(type, member)))
static void *irq_thread(void *arg) { struct device *d = container_of((pthread_mutex_t *)arg, struct device, lock); d->ops->irq(d); return NULL; }
int main(void) {
  struct device *d = calloc(1, sizeof *d);
  if (!d) return 1;
  d->ops = &my_ops;
  if (d->ops->probe(d)) { free(d); return 1; }
  pthread_t t;
  pthread_create(&t, NULL, irq_thread, &d->lock);
  int s = d->ops->state(d);
  assert(s == 1 || s == 2);
  pthread_join(t, NULL);
  free(d);
  return 0;
}
